// SPDX-License-Identifier: Apache-2.0
// One word at a time, in terms of what its bytes mean: the parts of the steps on lanes that no vector takes,
// and all of them on machines without vectors or with the other byte order. The rules of vectors-inl.hpp hold
// here too.
#if defined(TDZ_KERNELS_CPU_STEPS_WORDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_WORDS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_WORDS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_WORDS_INL_HPP
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr bool kBigEndian = true;
#else
inline constexpr bool kBigEndian = false;
#endif

/// The other byte order, if the machine has it; a compiler makes one instruction of it.
template <class T>
HWY_INLINE T little_endian(T x) {
  if constexpr (!kBigEndian || sizeof(T) == 1) return x;
  T swapped = 0;
  for (std::size_t b = 0; b < sizeof(T); ++b) {
    swapped = static_cast<T>(swapped | static_cast<T>((x >> (8 * b) & 0xFF) << (8 * (sizeof(T) - 1 - b))));
  }
  return swapped;
}

template <class T>
HWY_INLINE T get(const std::uint8_t* words, std::size_t i) {
  T x;
  std::memcpy(&x, words + i * sizeof(T), sizeof(T));
  return little_endian(x);
}

template <class T>
HWY_INLINE void put(std::uint8_t* words, std::size_t i, T x) {
  x = little_endian(x);
  std::memcpy(words + i * sizeof(T), &x, sizeof(T));
}

/// Bits that count in a word, and how it turns into a number.
struct Number {
  unsigned bits;
  bool is_signed;

  HWY_INLINE std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - bits); }
  HWY_INLINE std::int64_t of(std::uint64_t x) const {
    const unsigned unused = 64 - bits;
    return is_signed ? static_cast<std::int64_t>(x << unused) >> unused : static_cast<std::int64_t>(x);
  }
};

/// The one place where the word becomes a compile-time constant: calls run(word of that size).
template <class Run>
HWY_INLINE auto with_word(unsigned word, const Run& run) {
  switch (word) {
    case 1:
      return run(std::uint8_t{});
    case 2:
      return run(std::uint16_t{});
    case 4:
      return run(std::uint32_t{});
    default:
      return run(std::uint64_t{});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
