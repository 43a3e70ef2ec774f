// SPDX-License-Identifier: Apache-2.0
#include "codec/search/request.hpp"

namespace tdz {

formats::Parameters apply_request(const SearchOptions& request, formats::Parameters parameters) {
  parameters.word = request.word.value_or(parameters.word);
  parameters.tuple = request.tuple.value_or(parameters.tuple);
  parameters.order = request.order.value_or(parameters.order);
  parameters.zigzag = request.zigzag.value_or(parameters.zigzag);
  parameters.layout = request.layout.value_or(parameters.layout);
  parameters.big_endian = request.big_endian || parameters.big_endian;
  parameters.row = request.row.value_or(parameters.row);
  return parameters;
}

}  // namespace tdz
