// SPDX-License-Identifier: Apache-2.0
// What the parameters of the steps on lanes say. FORMAT.md, section 3.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tdz {

inline constexpr unsigned kHighestLaneOrder = 8;
inline constexpr unsigned kDeepestSource = 8;     ///< sources in a row that a lane may depend on
inline constexpr unsigned kHighestTokenBits = 7;  ///< of k and m

/// How many words a run may have: those of its lane (0), or 2^10 to 2^16.
constexpr bool is_run(std::size_t run) {
  return run == 0 || (std::has_single_bit(run) && run >= 1024 && run <= 65536);
}

/// How words turn into numbers for the sum of a prediction.
enum class Sign : std::uint8_t { is_unsigned, is_signed };

/// What the step `lanes` does to one lane.
struct LaneRule {
  static constexpr std::uint16_t kNoSource = 0xFFFF;

  std::uint8_t order = 0;  ///< 0 to 8
  bool zigzag = false;
  std::uint16_t source = kNoSource;
  std::uint8_t lag = 0;  ///< 0 or 1
  bool after = false;    ///< the source leaves the differences, not the words

  constexpr bool has_source() const { return source != kNoSource; }
  friend constexpr bool operator==(const LaneRule&, const LaneRule&) = default;
};

/// A rule for each lane of the tuple, and the run of words after which differences start anew.
struct LaneRules {
  std::vector<LaneRule> lanes;
  std::uint32_t run = 0;

  friend bool operator==(const LaneRules&, const LaneRules&) = default;
};

/// Which words are their own token, and how many bits below the leading one a token holds.
struct TokenCode {
  std::uint8_t k = 0;
  std::uint8_t m = 0;

  friend constexpr bool operator==(const TokenCode&, const TokenCode&) = default;
};

/// Tokens that words of `bits` bits may need. Precondition: m <= k <= 7.
constexpr unsigned token_count(TokenCode code, unsigned bits) {
  return (1u << code.k) + (bits - code.k) * (1u << code.m);
}

/// Whether a byte can hold each token.
constexpr bool is_token_code(TokenCode code, unsigned bits) {
  return code.m <= code.k && code.k <= kHighestTokenBits && token_count(code, bits) <= 256;
}

}  // namespace tdz
