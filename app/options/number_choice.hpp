// SPDX-License-Identifier: Apache-2.0
// From the options about the numbers to the search for the rest. Pure functions.
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

/// The given parameters are kept; the others are searched for.
struct NumberChoice {
  SearchOptions search;
  NumberType nominal;
};

/// A type without a tuple, such as i16, leaves the tuple to the search; i16x1 does not. Error usage: the type
/// is unknown, or --word or --tuple contradict it.
Result<NumberChoice> choose_numbers(const NumberParameters& said, Effort effort);

}  // namespace tdz::app
