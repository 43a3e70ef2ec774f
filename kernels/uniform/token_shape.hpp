// SPDX-License-Identifier: Apache-2.0
// What a token says of its word, in the form in which decoders look it up: the word is `mantissa`, followed
// by so many raw bits. FORMAT.md, section 3, tokens. The forward step is formats/steps/tokens.hpp.
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

/// An entry of a decode table: bits of the code, raw bits, mantissa, from the lowest bit on. Small tables
/// leave room for more warps, so an entry has 16 bits wherever its fields fit.
///
/// A shift takes its distance from the lowest 5 bits of a number, whatever stands above them. `kApart`: there
/// is a 0 above the first field, which has 5 bits, and above the second one. Then shifts and sums of entries
/// need no masks.
struct EntryOf16 {  ///< words of at most 16 bits; not bytes of k = m = 7, whose mantissas are longer
  using Word = std::uint16_t;
  static constexpr bool kApart = false;
  static constexpr std::uint32_t kCodeMask = 31, kRawAt = 5, kMantissaAt = 9, kRawMask = 15;
};
struct EntryOf32 {  ///< words of at most 32 bits
  using Word = std::uint16_t;
  static constexpr bool kApart = false;
  static constexpr std::uint32_t kCodeMask = 15, kRawAt = 4, kMantissaAt = 9, kRawMask = 31;
};
struct EntryOf64 {  ///< words of at most 64 bits, unless k = 7
  using Word = std::uint16_t;
  static constexpr bool kApart = false;
  static constexpr std::uint32_t kCodeMask = 15, kRawAt = 4, kMantissaAt = 10, kRawMask = 63;
};
struct WideEntry {  ///< all words
  using Word = std::uint32_t;
  static constexpr bool kApart = true;
  static constexpr std::uint32_t kCodeMask = 31, kRawAt = 8, kMantissaAt = 16, kRawMask = 63;
};
struct PlainEntry {  ///< words that are their own tokens
  using Word = std::uint16_t;
  static constexpr bool kApart = true;
  static constexpr std::uint32_t kCodeMask = 31, kRawAt = 8, kMantissaAt = 8, kRawMask = 0;
};

template <class Entry>
TDZ_HOST_DEVICE constexpr typename Entry::Word entry_of(TokenShape shape, std::uint32_t code_bits) {
  return static_cast<typename Entry::Word>(shape.mantissa << Entry::kMantissaAt |
                                           (shape.raw_bits & Entry::kRawMask) << Entry::kRawAt | code_bits);
}
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t mantissa_in(std::uint32_t entry) {
  return entry >> Entry::kMantissaAt;
}
/// In the lowest 5 bits. Entries that keep fields apart have a 0 above them, and anything above that.
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t code_shift_in(std::uint32_t entry) {
  return Entry::kApart ? entry : entry & Entry::kCodeMask;
}
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t raw_shift_in(std::uint32_t entry) {
  return Entry::kApart ? entry >> Entry::kRawAt : entry >> Entry::kRawAt & Entry::kRawMask;
}
/// The number itself.
template <class Entry>
TDZ_HOST_DEVICE constexpr std::uint32_t raw_bits_in(std::uint32_t entry) {
  return entry >> Entry::kRawAt & Entry::kRawMask;
}

}  // namespace tdz::uniform
