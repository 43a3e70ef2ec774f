// SPDX-License-Identifier: Apache-2.0
// The naive oracle for the steps on lanes: as FORMAT.md words them, one word at a time, on interleaved words.
// It shares no code with the kernels and is not meant to be fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/steps/lanes.hpp"
#include "formats/steps/predict.hpp"
#include "formats/steps/tokens.hpp"

namespace tdz::oracle {

/// Words of a tuple of `tuple` lanes, interleaved, each below 2^(8 width).
struct Column {
  unsigned width = 1;
  std::size_t tuple = 1;
  std::vector<std::uint64_t> x;
};

Column lanes(Column column, const LanesStep& rules);
Column undo_lanes(Column column, const LanesStep& rules);

/// A difference that starts anew in every run of a lane.
Column difference(Column column, unsigned order, std::size_t run);
Column undo_difference(Column column, unsigned order, std::size_t run);

Column predict(Column column, Sign sign, std::span<const Predictor> predictors);
Column undo_predict(Column column, Sign sign, std::span<const Predictor> predictors);

struct TokenStreams {
  std::vector<std::uint8_t> tokens, raw;
  std::vector<std::uint32_t> lengths;  ///< of the runs, in bytes

  friend bool operator==(const TokenStreams&, const TokenStreams&) = default;
};
TokenStreams tokens(const Column& column, TokenCode code, std::size_t run);
/// Nothing where the streams contradict themselves. `shape` gives width, tuple and the number of words.
std::optional<Column> undo_tokens(const TokenStreams& streams, Column shape, TokenCode code, std::size_t run);

/// Words that are not of `column` may follow in the last groups: they are 0.
struct PackedStreams {
  std::vector<std::uint8_t> widths, codes, places, bits;

  friend bool operator==(const PackedStreams&, const PackedStreams&) = default;
};
/// Each group with one of `widths`, the narrowest that holds its words. They ascend.
PackedStreams packed(const Column& column, std::span<const std::uint8_t> widths);
/// Nothing where the streams contradict themselves. `shape` gives width, tuple and the number of words.
std::optional<Column> undo_packed(const PackedStreams& streams, Column shape);

}  // namespace tdz::oracle
