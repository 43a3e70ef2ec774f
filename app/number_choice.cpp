// SPDX-License-Identifier: Apache-2.0
#include "app/number_choice.hpp"

#include "formats/type_name.hpp"

namespace tdz::app {
namespace {

Error usage(std::string message) {
  return {ErrorKind::usage, std::move(message)};
}

/// "i16" leaves the tuple open, "i16x1" does not.
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

Result<NumberChoice> choose_numbers(const NumberParameters& said) {
  if (!said.any()) return NumberChoice{};
  if (said.big_endian && !said.type && !said.word) {
    return usage("--big-endian needs --type or --word: single bytes have no order");
  }
  const auto type = choose_type(said);
  if (!type) return type.error();
  const std::uint8_t order = said.order.value_or(1);
  // Zigzag is for residuals of either sign; plain values, order 0, need not have one.
  const formats::UsualSteps steps{.word = type->word,
                                  .tuple = type->tuple,
                                  .order = order,
                                  .zigzag = said.zigzag.value_or(order > 0),
                                  .layout = said.layout.value_or(Layout::tuple_planes),
                                  .big_endian = said.big_endian};
  return NumberChoice{formats::usual_transform(steps), *type};
}

SearchOptions numbers_to_search(const NumberParameters& said, const NumberType& nominal) {
  SearchOptions search;
  if (said.type || said.word) search.word = nominal.word;
  if (said.tuple || (said.type && names_tuple(*said.type))) search.tuple = nominal.tuple;
  search.order = said.order;
  search.zigzag = said.zigzag;
  search.layout = said.layout;
  search.big_endian = said.big_endian;
  return search;
}

}  // namespace tdz::app
