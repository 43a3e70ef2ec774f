// SPDX-License-Identifier: Apache-2.0
// Words of two lanes, one run of tokens, and prediction block by block: the seams between the steps and the
// code that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/steps/lane_map.hpp"
#include "formats/steps/predict.hpp"
#include "formats/steps/tokens.hpp"

namespace tdz::cpu {

// ---- lanes: one word from each of two lanes

struct SourceMap {
  std::uint8_t word = 1;
  std::uint8_t bits = 8;
  bool zigzag = false;
};

/// to[i] from from[i] and source[i], or zero where `source` is null; `to` may be `from`.
using PairMap = void (*)(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                         std::uint8_t* to, std::size_t words);

/// code(x - source), then the inverse.
void subtract_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source,
                     std::uint8_t* to, std::size_t words);
void add_source(const SourceMap& map, const std::uint8_t* from, const std::uint8_t* source, std::uint8_t* to,
                std::size_t words);

// ---- tokens: one run

/// A word's raw bits, with up to 7 bits beside them, lie in 4 bytes of the stream, or in 5. Four words of so
/// many bits, with up to 7 bits beside them, lie in 16 bytes.
inline constexpr unsigned kRawIn4Bytes = 25, kRawIn5Bytes = 30;

/// A token code as tables, by token and by floor(log2 z).
struct TokenRule {
  TokenCode code;
  std::uint8_t word = 1;
  std::uint8_t raw[256] = {};                 ///< raw bits of a token
  std::uint64_t base[256] = {};               ///< its word without them
  std::uint8_t last_in_4 = 0, last_in_5 = 0;  ///< the last tokens with so few raw bits, of words below 2^32
  std::uint8_t raw_of_length[64] = {};        ///< raw bits of words of this length
  std::uint8_t offset_of_length[64] = {};     ///< the token less the word's bits above the raw ones, mod 256
};

TokenRule rule_of(TokenCode code, const LaneMap& map);

/// All raw bits of a chunk, so that a reader knows how far it may look.
struct RawBits {
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
};

struct TokenSum {
  std::uint64_t bits = 0;
  unsigned largest = 0;
};

/// Writes tokens, and bits downwards from `end`. Returns where these begin.
std::uint8_t* split_run(const TokenRule& rule, const std::uint8_t* words, std::size_t count,
                        std::uint8_t* tokens, std::uint8_t* end);
TokenSum sum_tokens(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count);
/// `top` counts bits from the lowest of raw.bytes to the run's first. Precondition: the tokens' bits are
/// there.
void join_run(const TokenRule& rule, const std::uint8_t* tokens, std::size_t count, const RawBits& raw,
              std::uint64_t top, std::uint8_t* words);

// ---- predict: one block

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
