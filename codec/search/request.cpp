// SPDX-License-Identifier: Apache-2.0
#include "codec/search/request.hpp"

namespace tdz {

formats::Parameters fixed(const SearchOptions& said, formats::Parameters parameters) {
  parameters.word = said.word.value_or(parameters.word);
  parameters.tuple = said.tuple.value_or(parameters.tuple);
  parameters.order = said.order.value_or(parameters.order);
  parameters.zigzag = said.zigzag.value_or(parameters.zigzag);
  parameters.layout = said.layout.value_or(parameters.layout);
  parameters.big_endian = said.big_endian || parameters.big_endian;
  parameters.row = said.row.value_or(parameters.row);
  return parameters;
}

}  // namespace tdz
