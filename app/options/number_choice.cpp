// SPDX-License-Identifier: Apache-2.0
#include "app/options/number_choice.hpp"

#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

Error usage(std::string message) {
  return {ErrorKind::usage, std::move(message)};
}

bool names_tuple(const std::string& type) {
  return type.find('x') != std::string::npos;
}

Result<NumberType> choose_type(const NumberParameters& said) {
  NumberType type;
  if (said.type) {
    auto parsed = formats::parse_type(*said.type);
    if (!parsed) return parsed.error();
    type = *parsed;
    if (said.word && *said.word != type.word) return usage("--type " + *said.type + " contradicts --word");
    if (said.tuple && names_tuple(*said.type) && *said.tuple != type.tuple) {
      return usage("--type " + *said.type + " contradicts --tuple");
    }
  }
  type.word = said.word.value_or(type.word);
  type.tuple = said.tuple.value_or(type.tuple);
  return type;
}

}  // namespace

Result<NumberChoice> choose_numbers(const NumberParameters& said, Effort effort) {
  if (said.big_endian && !said.type && !said.word) {
    return usage("--big-endian needs --type or --word: single bytes have no byte order");
  }
  const auto type = choose_type(said);
  if (!type) return type.error();
  SearchOptions search{.effort = effort};
  if (said.type || said.word) search.word = type->word;
  if (said.tuple || (said.type && names_tuple(*said.type))) search.tuple = type->tuple;
  search.order = said.order;
  search.zigzag = said.zigzag;
  search.layout = said.layout;
  search.row = said.row;
  search.big_endian = said.big_endian;
  return NumberChoice{search, *type};
}

}  // namespace tdz::app
