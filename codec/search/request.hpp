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

/// The usual steps, and perhaps a second difference along rows.
struct Steps {
  formats::UsualSteps usual;
  std::uint32_t row = 0;  ///< in words; 0: none
};
/// The usual list, with the second difference behind the first.
Transform transform_of(const Steps& steps);
/// The inverse, for every transform that transform_of makes.
Steps steps_of(const Transform& transform);

/// The caller's part, which stays as it is, over what a candidate proposes.
formats::UsualSteps fixed(const SearchOptions& said, formats::UsualSteps steps);

}  // namespace tdz
