// SPDX-License-Identifier: Apache-2.0
// Words of 3, 5, 6 and 7 bytes to machine words, and back: bytes move within blocks of 16.
#if defined(TDZ_KERNELS_CPU_STEPS_WIDTHS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_WIDTHS_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_WIDTHS_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_WIDTHS_INL_HPP
#endif

#include "kernels/cpu/steps/words-inl.hpp"
#if !TDZ_KERNELS_PLAIN
#include "kernels/cpu/vectors-inl.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// Machine words of `word` bytes whose lowest `width` bytes count.
struct WidthMap {
  std::size_t width, word;

#if !TDZ_KERNELS_PLAIN
  std::size_t words_of_block() const {
    return kBlock / word;
  }
  std::size_t packed_of_block() const {
    return words_of_block() * width;
  }
  /// Blocks of which 16 packed bytes may be read and written, although fewer count.
  std::size_t whole_words(std::size_t words) const {
    const std::size_t step = kVector / word;
    return words < 2 * kBlock ? 0 : (words - kBlock) / step * step;
  }

  /// The place of each byte of one form in the other; 0x80 for none.
  Vector table(bool to_wide) const {
    HWY_ALIGN std::uint8_t place[kVector];
    for (std::size_t b = 0; b < kVector; ++b) place[b] = 0x80;
    for (std::size_t base = 0; base < kVector; base += kBlock) {
      for (std::size_t i = 0; i < words_of_block() * width; ++i) {
        const std::size_t wide = i / width * word + i % width;
        place[base + (to_wide ? wide : i)] = static_cast<std::uint8_t>(to_wide ? i : wide);
      }
    }
    return hn::Load(Bytes(), place);
  }
#endif
};

#if TDZ_KERNELS_PLAIN

HWY_INLINE std::size_t widen_vectors(const WidthMap&, const std::uint8_t*, std::uint8_t*, std::size_t) {
  return 0;
}
HWY_INLINE std::size_t narrow_vectors(const WidthMap&, const std::uint8_t*, std::uint8_t*, std::size_t) {
  return 0;
}

#else

/// Returns the words that are done.
HWY_NOINLINE std::size_t widen_vectors(const WidthMap& map, const std::uint8_t* in, std::uint8_t* out,
                                       std::size_t words) {
  const std::size_t whole = map.whole_words(words), packed = map.packed_of_block();
  const auto table = map.table(true);
  const std::uint8_t* const end = out + whole * map.word;
  for (; out != end; in += kVector / kBlock * packed, out += kVector) {
    hn::StoreU(hn::TableLookupBytesOr0(load_blocks(in, packed), table), Bytes(), out);
  }
  return whole;
}

HWY_NOINLINE std::size_t narrow_vectors(const WidthMap& map, const std::uint8_t* in, std::uint8_t* out,
                                        std::size_t words) {
  const std::size_t whole = map.whole_words(words), packed = map.packed_of_block();
  const auto table = map.table(false);
  const std::uint8_t* const end = in + whole * map.word;
  for (; in != end; in += kVector, out += kVector / kBlock * packed) {
    const auto v = hn::TableLookupBytesOr0(hn::LoadU(Bytes(), in), table);
    store_lower_block(v, out);  // the end of a block is overwritten by the next one
    store_upper_block(v, out + packed);
  }
  return whole;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
