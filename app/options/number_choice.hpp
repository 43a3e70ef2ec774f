// SPDX-License-Identifier: Apache-2.0
// From what was said about the numbers to what is left to find out. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// --type, --word, --tuple, --order, --zigzag, --layout, --row and --big-endian as they were given.
struct NumberParameters {
  std::optional<std::string> type{};
  std::optional<std::uint8_t> word{};
  std::optional<std::uint32_t> tuple{};
  std::optional<std::uint8_t> order{};
  std::optional<bool> zigzag{};
  std::optional<Layout> layout{};
  std::optional<std::uint32_t> row{};
  bool big_endian = false;
};

/// What was said stays as it is; the rest is searched for.
struct NumberChoice {
  SearchOptions search;
  NumberType nominal;
};

/// A type without a tuple, such as i16, leaves the tuple open; i16x1 does not. Error usage: an unknown type,
/// or --word or --tuple that contradict it.
Result<NumberChoice> choose_numbers(const NumberParameters& said, Effort effort);

}  // namespace tdz::app
