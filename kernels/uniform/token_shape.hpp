// SPDX-License-Identifier: Apache-2.0
// What a token says of its word, in the form in which decoders look it up: the word is `mantissa`, followed by
// so many raw bits. FORMAT.md, section 3, tokens. The forward step is kernels/steps/tokens.hpp.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::uniform {

struct TokenShape {
  std::uint32_t mantissa = 0, raw_bits = 0;
};

TDZ_HOST_DEVICE constexpr TokenShape shape_of_token(std::uint32_t k, std::uint32_t m, std::uint32_t token) {
  if (token >> k == 0) return {token, 0};
  return {1u << m | (token & ((1u << m) - 1)), ((token - (1u << k)) >> m) + k - m};
}

/// Tokens that words of `bits` bits may need.
TDZ_HOST_DEVICE constexpr std::uint32_t tokens_of(std::uint32_t k, std::uint32_t m, std::uint32_t bits) {
  return (1u << k) + (bits - k) * (1u << m);
}

/// An entry of a decode table: mantissa | bits of the code | raw bits, from the top. 16 bits hold what words of
/// at most 32 bits can have: mantissas below 128, except in bytes of k = m = 7, which have no raw bits.
struct Entry16 {
  using Word = std::uint16_t;
  static constexpr std::uint32_t kCodeAt = 5, kMantissaAt = 9, kCodeMask = 15, kRawMask = 31;
};
struct Entry32 {
  using Word = std::uint32_t;
  static constexpr std::uint32_t kCodeAt = 8, kMantissaAt = 16, kCodeMask = 15, kRawMask = 63;
};
/// For words that are their own tokens.
struct EntryPlain {
  using Word = std::uint16_t;
  static constexpr std::uint32_t kCodeAt = 0, kMantissaAt = 4, kCodeMask = 15, kRawMask = 0;
};

template <class Entry>
TDZ_HOST_DEVICE constexpr typename Entry::Word entry_of(TokenShape shape, std::uint32_t code_bits) {
  return static_cast<typename Entry::Word>(shape.mantissa << Entry::kMantissaAt | code_bits << Entry::kCodeAt |
                                           (shape.raw_bits & Entry::kRawMask));
}
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t mantissa_in(std::uint32_t entry) {
  return entry >> Entry::kMantissaAt;
}
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t code_bits_in(std::uint32_t entry) {
  return entry >> Entry::kCodeAt & Entry::kCodeMask;
}
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t raw_bits_in(std::uint32_t entry) {
  return entry & Entry::kRawMask;
}

}  // namespace tdz::uniform
