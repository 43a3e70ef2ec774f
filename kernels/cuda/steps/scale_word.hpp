// SPDX-License-Identifier: Apache-2.0
// One word of the step `scale`, from q to the number: every operation is rounded as the format says, on host
// and device. The bits of doubles are looked at as integers, which a device does at no cost. And which words
// of a tile are holes, with the rank of each among the chunk's holes.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "formats/steps/scale.hpp"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/team.hpp"

namespace tdz::cuda {

TDZ_HOST_DEVICE inline std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

TDZ_HOST_DEVICE inline double double_of(std::uint64_t bits) {
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// The exponent and the leading bits of |x|: they order as |x| does.
TDZ_HOST_DEVICE inline std::uint32_t magnitude_bits(double x) {
  return static_cast<std::uint32_t>(bits_of(x) >> 32) & 0x7FFFFFFF;
}

TDZ_HOST_DEVICE inline double multiplied(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

/// a b + c, rounded once.
TDZ_HOST_DEVICE inline double multiplied_added(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

/// A pair, with 1 / den rounded to nearest.
struct ScaleFactor {
  double num, den, inverse;  // no initial values: a table of them lies in shared memory

  TDZ_HOST_DEVICE static ScaleFactor of(double num, double den) {
#if defined(__CUDA_ARCH__)
    return {num, den, __drcp_rn(den)};
#else
    return {num, den, 1 / den};
#endif
  }
};

TDZ_HOST_DEVICE inline bool is_scale_number(double x) {
  return x >= 0x1p-300 && x <= 0x1p300;
}

/// t / den, rounded to nearest even, without a division. The first guess t * inverse is less than 2 units in
/// the last place away. A step of Newton brings it below 1 unit. If a guess is that near, and the inverse is
/// correctly rounded, then one more step rounds correctly (Markstein, Computation of elementary functions on
/// the IBM RISC System/6000 processor, 1990, theorem 8.1 of Muller et al., Handbook of Floating-Point
/// Arithmetic). Nothing here leaves the normal numbers: |t| is 0 or 2^-300 to 2^353, den 2^-300 to 2^300.
TDZ_HOST_DEVICE inline double divided(double t, const ScaleFactor& by) {
  double guess = multiplied(t, by.inverse);
  guess = multiplied_added(multiplied_added(-by.den, guess, t), by.inverse, guess);
  return multiplied_added(multiplied_added(-by.den, guess, t), by.inverse, guess);
}

TDZ_HOST_DEVICE inline double scaled_number(std::int64_t q, const ScaleFactor& factor) {
  double t = static_cast<double>(q);
  if (factor.num != 1) t = multiplied(t, factor.num);
  if (factor.den != 1) t = divided(t, factor);
  return t;
}

/// |t| < 2^63, rounded to an integer, to nearest even.
TDZ_HOST_DEVICE inline std::uint64_t rounded(double t) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(__double2ll_rn(t));
#else
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(t)));
#endif
}

TDZ_HOST_DEVICE inline std::uint32_t float_bits(double t) {
#if defined(__CUDA_ARCH__)
  return __float_as_uint(__double2float_rn(t));
#else
  const auto x = static_cast<float>(t);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}

/// From the word of a q to the word of its number. False: the q is corrupt, and the word means nothing.
template <unsigned Width, ScaleKind Kind>
TDZ_HOST_DEVICE inline bool undo_scale_word(const ScaleFactor& factor, std::uint64_t& word) {
  constexpr std::uint32_t k2To63 = 0x43E00000, k2ToMinus126 = 0x38100000;  // magnitude_bits()
  const std::int64_t q = signed_word(word, Width);
  const bool wide = Width > 6 && (q > kWidestScaled || q < -kWidestScaled);
  const double t = scaled_number(Width > 4 ? q : static_cast<std::int32_t>(q), factor);
  if constexpr (Kind == ScaleKind::integer) {
    const bool large = magnitude_bits(t) >= k2To63;
    word = large ? 0 : rounded(t);
    return !wide && !large;
  } else if constexpr (Width == 4) {
    const std::uint32_t bits = float_bits(t);
    const bool infinite = (bits & 0x7FFFFFFF) == 0x7F800000;
    const bool small = q != 0 && magnitude_bits(t) < k2ToMinus126;
    word = bits;
    return !infinite && !small;
  } else {
    word = bits_of(t);
    return !wide;
  }
}

/// Where the selector of a word lies: lanes behind one another, in each a selector for 1024 of its words.
class SelectorMap {
 public:
  SelectorMap() = default;
  TDZ_HOST_DEVICE constexpr SelectorMap(std::uint32_t words, std::uint32_t tuple)
      : tuple_(tuple),
        longer_lanes_(words % tuple),
        groups_(groups(words / tuple)),
        longer_groups_(groups(words / tuple + 1)) {}

  /// Whether there is one lane only.
  TDZ_HOST_DEVICE constexpr bool is_single() const { return tuple_.value() == 1; }
  TDZ_HOST_DEVICE constexpr std::uint32_t count() const { return begin(tuple_.value()); }
  TDZ_HOST_DEVICE constexpr std::uint32_t place(std::uint32_t i) const {
    if (is_single()) return i / kGroup;
    const std::uint32_t row = tuple_.quotient(i);
    return begin(i - row * tuple_.value()) + row / kGroup;
  }

 private:
  static constexpr std::uint32_t kGroup = kScaleGroup;

  TDZ_HOST_DEVICE static constexpr std::uint32_t groups(std::uint32_t words) {
    return (words + kGroup - 1) / kGroup;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t begin(std::uint32_t lane) const {
    const std::uint32_t longer = lane < longer_lanes_ ? lane : longer_lanes_;
    return longer * longer_groups_ + (lane - longer) * groups_;
  }

  Divisor tuple_;
  std::uint32_t longer_lanes_ = 0, groups_ = 0, longer_groups_ = 0;
};

// ---- Holes

inline constexpr std::uint32_t kScaleTile = 4096;  ///< words that a thread block takes
inline constexpr std::uint32_t kTileBits = kScaleTile / 32;

TDZ_HOST_DEVICE constexpr std::uint32_t scale_tiles(std::uint32_t words) {
  return words == 0 ? 1 : (words + kScaleTile - 1) / kScaleTile;
}

/// The bits of words [32 group, 32 group + 32) of a bitmap of `bytes` bytes; behind its end they are zero.
TDZ_HOST_DEVICE inline std::uint32_t bitmap_group(const Byte* bitmap, std::uint32_t bytes,
                                                  std::uint32_t group) {
  std::uint32_t bits = 0;
  for (std::uint32_t b = 0; b < 4; ++b) {
    if (4 * group + b < bytes) bits |= std::uint32_t{bitmap[4 * group + b]} << (8 * b);
  }
  return bits;
}

/// Of 32 words: their bits, and how many holes of the chunk stand before them.
struct HoleGroup {
  std::uint32_t bits, before;  // no initial values: a table of them lies in shared memory

  TDZ_HOST_DEVICE bool is_hole(std::uint32_t i) const { return (bits >> i % 32 & 1) != 0; }
  TDZ_HOST_DEVICE std::uint32_t rank(std::uint32_t i) const {
    return before + uniform::ones_of(bits & ((std::uint32_t{1} << i % 32) - 1));
  }
};

}  // namespace tdz::cuda
