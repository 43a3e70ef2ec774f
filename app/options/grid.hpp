// SPDX-License-Identifier: Apache-2.0
// The ranges of parameters of bench and roundtrip: --orders 1-8 --tuples 1,2,5-8. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// A layout of a grid: one of words, or packed groups.
struct GridLayout {
  Layout of_words = Layout::interleaved;
  bool packed = false;
  friend bool operator==(const GridLayout&, const GridLayout&) = default;
};

/// The lists that were given; a list that was not given is empty.
struct Grid {
  std::vector<std::uint8_t> words;
  std::vector<std::uint32_t> tuples;
  std::vector<std::uint8_t> orders;
  std::vector<GridLayout> layouts;
  std::vector<int> levels;
  std::vector<BackendChoice> backends;  ///< cpu and cuda

  /// Is any of words, tuples, orders and layouts given?
  bool ranges() const { return !(words.empty() && tuples.empty() && orders.empty() && layouts.empty()); }
};

/// "1-8", "1,2,4,8", "0-2,8", in any order. The result has each number once, and at most 4096 numbers. Error
/// usage.
Result<std::vector<std::uint32_t>> parse_numbers(std::string_view text, std::uint32_t least,
                                                 std::uint32_t most);

Result<std::vector<std::uint8_t>> parse_words(std::string_view text);
Result<std::vector<std::uint32_t>> parse_tuples(std::string_view text);
Result<std::vector<std::uint8_t>> parse_orders(std::string_view text);
Result<std::vector<int>> parse_levels(std::string_view text);
/// "interleaved,tuple-planes,packed"; "all".
Result<std::vector<GridLayout>> parse_layouts(std::string_view text);
/// "cpu", "cuda", "cpu,cuda".
Result<std::vector<BackendChoice>> parse_backends(std::string_view text);
/// "tdz,sam": names that are not empty; what they mean is not checked.
Result<std::vector<std::string>> parse_names(std::string_view text);

/// "cpu" or "cuda".
std::string_view backend_name(BackendChoice backend);

/// Every combination of words, tuples, orders and layouts. Combinations with the same steps (order 0 with any
/// tuple, planes of words of one byte) appear once. Zigzag is on if there is a difference. Precondition: no
/// list is empty.
std::vector<formats::Parameters> codings(const Grid& grid);

}  // namespace tdz::app
