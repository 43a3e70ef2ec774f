// SPDX-License-Identifier: Apache-2.0
// From what was said about the numbers to the steps that compress them. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// --type, --word, --tuple, --order, --zigzag, --layout and --big-endian as they were given.
struct NumberParameters {
  std::optional<std::string> type{};
  std::optional<std::uint8_t> word{};
  std::optional<std::uint32_t> tuple{};
  std::optional<std::uint8_t> order{};
  std::optional<bool> zigzag{};
  std::optional<Layout> layout{};
  bool big_endian = false;

  /// Was anything said at all?
  bool any() const { return type || word || tuple || order || zigzag || layout || big_endian; }
};

struct NumberChoice {
  Transform transform;
  NumberType nominal;
};

/// Nothing said: bytes, no steps. Anything said: order 1, zigzag (unless the order is 0) and tuple-planes,
/// but for what was said otherwise. Error usage: an unknown type, or --word or --tuple that contradict it.
Result<NumberChoice> choose_numbers(const NumberParameters& parameters);

/// For --auto: what was said stays as it is, the rest is searched for. `nominal` is what choose_numbers made
/// of it.
SearchOptions numbers_to_search(const NumberParameters& parameters, const NumberType& nominal);

}  // namespace tdz::app
