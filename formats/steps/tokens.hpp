// SPDX-License-Identifier: Apache-2.0
// The layout `tokens`: a byte for every word, and raw bits for what the byte does not say. FORMAT.md,
// section 3. Pure functions, thread-safe.
//
// A word z < 2^k is its own token. Else f = floor(log2 z), the token is 2^k + (f - k) 2^m + the m bits below
// the leading one, and the low f - m bits are raw. It is the hybrid integer of JPEG XL.
//
// The raw bits of every run of a lane stand by themselves: b bits in ceil(b / 8) bytes, read as one
// little-endian integer, the first token's bits on top. So a decoder reads a run from its end, as zstd's bit
// streams are read.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

inline constexpr unsigned kHighestTokenBits = 7;  ///< of k and m

/// Which words are their own token, and how many bits below the leading one a token holds.
struct TokenCode {
  std::uint8_t k = 0;
  std::uint8_t m = 0;

  friend constexpr bool operator==(const TokenCode&, const TokenCode&) = default;
};

/// A byte for every word, and raw bits, which begin anew in every run.
struct TokensStep {
  static constexpr formats::StepTraits kTraits{
      .id = 10,
      .name = "tokens",
      .help = {100, "tokens(T, K, M)",
               "one byte (token) for each number: its length in bits and its highest bits (K and M say how "
               "many). The lower bits are stored separately"},
      .substreams = 2,
      .is_layout = true};

  std::uint32_t tuple = 1;
  TokenCode code;
  std::uint32_t run = 0;

  std::string name() const;
  std::string words() const {
    return "a byte (token) for each number, and its lower bits" + formats::run_words(run);
  }
  std::uint32_t tuple_length() const { return tuple; }
  void write(std::vector<std::byte>& out) const;
  static Result<TokensStep> read(formats::ParameterReader& in);
  formats::Flaw flaw(unsigned width) const;
  void list(formats::SubstreamList& out) const;

  friend constexpr bool operator==(const TokensStep&, const TokensStep&) = default;
};

/// Tokens that words of `bits` bits may need. Precondition: m <= k <= 7.
constexpr unsigned token_count(TokenCode code, unsigned bits) {
  return (1u << code.k) + (bits - code.k) * (1u << code.m);
}

/// Whether a byte can hold each token.
constexpr bool is_token_code(TokenCode code, unsigned bits) {
  return code.m <= code.k && code.k <= kHighestTokenBits && token_count(code, bits) <= 256;
}

constexpr unsigned token_of(TokenCode code, std::uint64_t z) {
  if (z >> code.k == 0) return static_cast<unsigned>(z);
  const unsigned f = static_cast<unsigned>(std::bit_width(z)) - 1;
  const unsigned below = static_cast<unsigned>(z >> (f - code.m)) & ((1u << code.m) - 1);
  return (1u << code.k) + ((f - code.k) << code.m) + below;
}

constexpr unsigned raw_bits_of(TokenCode code, unsigned token) {
  if (token >> code.k == 0) return 0;
  return ((token - (1u << code.k)) >> code.m) + code.k - code.m;
}

/// The smallest word of a token: the one whose raw bits are all zero.
constexpr std::uint64_t base_of(TokenCode code, unsigned token) {
  if (token >> code.k == 0) return token;
  const std::uint64_t lead = (1u << code.m) | (token & ((1u << code.m) - 1));
  return lead << raw_bits_of(code, token);
}

}  // namespace tdz
