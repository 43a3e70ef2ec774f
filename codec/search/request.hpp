// SPDX-License-Identifier: Apache-2.0
// What is known before the search: what the caller said, and what the input's own header says.
#pragma once

#include <cstdint>
#include <optional>

#include "formats/type_name.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// What a file's own header says; never trusted, tried first.
struct Hint {
  NumberType type;
  bool big_endian = false;
  std::uint32_t row_words = 0;
};

/// The caller's part, which stays as it is, over what a candidate proposes.
inline formats::UsualSteps fixed(const SearchOptions& said, formats::UsualSteps steps) {
  steps.word = said.word.value_or(steps.word);
  steps.tuple = said.tuple.value_or(steps.tuple);
  steps.order = said.order.value_or(steps.order);
  steps.zigzag = said.zigzag.value_or(steps.zigzag);
  steps.layout = said.layout.value_or(steps.layout);
  steps.big_endian = said.big_endian || steps.big_endian;
  return steps;
}

}  // namespace tdz
