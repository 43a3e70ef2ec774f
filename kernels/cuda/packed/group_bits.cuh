// SPDX-License-Identifier: Apache-2.0
// Words of a group, taken out of the bits that a thread block has in shared memory. The bits begin anywhere
// in them; up to 12 bytes past the last word are read.
#pragma once

#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

template <class Word>
struct GroupBits {
  static constexpr unsigned kBits = 8 * sizeof(Word);
  static constexpr unsigned kSide = FourRows<Word>::kSide;  ///< words that share a register
  const std::uint32_t* memory;

  /// `width` bits from this bit on, at most kBits.
  TDZ_HOST_DEVICE Word word(std::uint32_t bit, unsigned width) const {
    const std::uint32_t* words = memory + bit / 32;
    const std::uint32_t low = shifted(words[0], words[1], bit % 32);
    if constexpr (sizeof(Word) < 8) {
      return static_cast<Word>(low & static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1));
    } else {
      const std::uint64_t high = shifted(words[1], words[2], bit % 32);
      const std::uint64_t mask = width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
      return (high << 32 | low) & mask;
    }
  }

  /// Four words, one after another, with zigzag undone where `code` is on.
  TDZ_HOST_DEVICE FourRows<Word> four(std::uint32_t bit, unsigned width, MaybeZigzag code) const {
    FourRows<Word> made;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned i = 0; i < 4 / kSide; ++i) {
      const std::uint32_t at = bit + i * kSide * width;
      if constexpr (sizeof(Word) < 4) {
        made.part[i] = code.template in_packed<Word>(short_words(at, width));
      } else if constexpr (sizeof(Word) == 4) {
        made.part[i] = code.template in<Word>(word(at, width));
      } else {
        const std::uint64_t bits = word(at, width);
        made.part[i] =
            code.in_halves(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
      }
    }
    return made;
  }

 private:
  TDZ_HOST_DEVICE static std::uint32_t shifted(std::uint32_t low, std::uint32_t high, unsigned by) {
#ifdef __CUDA_ARCH__
    return __funnelshift_r(low, high, by);
#else
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> by);
#endif
  }
  /// As many words as 4 bytes hold: packed, they are 32 bits at most.
  TDZ_HOST_DEVICE std::uint32_t short_words(std::uint32_t bit, unsigned width) const {
    const std::uint32_t bits = shifted(memory[bit / 32], memory[bit / 32 + 1], bit % 32);
    const std::uint32_t mask = (1u << width) - 1;
    std::uint32_t made = bits & mask;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (unsigned k = 1; k < kSide; ++k) made |= (bits >> (k * width) & mask) << (k * kBits);
    return made;
  }
};

}  // namespace tdz::cuda
