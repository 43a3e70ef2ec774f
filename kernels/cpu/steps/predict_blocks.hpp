// SPDX-License-Identifier: Apache-2.0
// Prediction block by block: the seam between the step and the code that is compiled once per instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/steps/predict.hpp"

namespace tdz::cpu {

/// One block of a lane. `from` and `to` may be the same for the way back.
struct BlockJob {
  const Predictor* predictor = nullptr;
  const std::uint8_t* from = nullptr;
  std::uint8_t* to = nullptr;
  std::size_t words = 0;
};

/// What the words of a block mean.
struct WordKind {
  std::uint8_t word = 1;
  std::uint8_t width = 1;
  Sign sign = Sign::is_signed;
};

void predict_block(const WordKind& kind, const BlockJob& job);
/// The inverse of many blocks, several side by side; quick where neighbours are alike in length and order.
void undo_blocks(const WordKind& kind, const BlockJob* jobs, std::size_t count);

/// How large a block's residuals are: the sum of their magnitudes, or, for words of 8 bytes, of their lengths
/// in bits.
std::uint64_t size_of_residuals(const WordKind& kind, const std::uint8_t* residuals, std::size_t words);

inline constexpr unsigned kMostFixedOrders = 5;
/// The same for the differences of order 0 to 4, without those words that have too few before them.
void sizes_of_differences(const WordKind& kind, const std::uint8_t* words, std::size_t count,
                          std::uint64_t (&sizes)[kMostFixedOrders]);

inline constexpr unsigned kMostLags = 33;
/// Autocorrelation of the block's numbers, or of their first differences, under `window` (15 bits after the
/// point): lags 0 to `lags` - 1. Numbers are scaled to 15 or 25 bits, so the sums are exact. Precondition:
/// words <= 4096.
void autocorrelate(const WordKind& kind, bool differences, const std::uint8_t* words, std::size_t count,
                   const std::uint16_t* window, unsigned lags, std::int64_t* sums);

}  // namespace tdz::cpu
