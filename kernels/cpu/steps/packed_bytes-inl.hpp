// SPDX-License-Identifier: Apache-2.0
// Groups of packed words with the instructions of AVX-512 that move any byte anywhere (VBMI: vpermb) and take
// any 8 bits of 64 (vpmultishiftqb). packed-inl.hpp does the same for all other instruction sets.
//
// Vectors have 32 bytes, as everywhere (vectors-inl.hpp): four pieces of 64 bits. Packed, a piece is as many
// words as fit in it, one after another.
#if defined(TDZ_KERNELS_CPU_STEPS_PACKED_BYTES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_STEPS_PACKED_BYTES_INL_HPP
#undef TDZ_KERNELS_CPU_STEPS_PACKED_BYTES_INL_HPP
#else
#define TDZ_KERNELS_CPU_STEPS_PACKED_BYTES_INL_HPP
#endif

#include "kernels/cpu/steps/packed_shapes.hpp"
#include "kernels/cpu/vectors-inl.hpp"

#if TDZ_KERNELS_BYTES

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// A group of `width` bits a word to 16 words. Reads 32 bytes where each vector of words begins.
template <class T, class Shapes>
HWY_INLINE void unpack_pieces(const Shapes& shapes, const std::uint8_t* from, unsigned width,
                              std::uint8_t* words) {
  const Words<T> d;
  const auto mask = hn::Set(d, static_cast<T>((std::uint64_t{1} << width) - 1));
  for (std::size_t i = 0; i < 16; i += Shapes::kVectorWords) {
    const std::size_t bit = i * width, begin = bit % 8 / 4;
    const Vector bits = hn::LoadU(Bytes(), from + bit / 8);
    const Vector places = hn::Load(Bytes(), shapes.bytes[width][begin]);
    const Vector shifts = hn::Load(Bytes(), shapes.shifts[width][begin]);
    const Vector pieces{_mm256_permutexvar_epi8(places.raw, bits.raw)};
    const Vector spread{_mm256_multishift_epi64_epi8(shifts.raw, pieces.raw)};
    const Vector result = hn::BitCast(Bytes(), hn::And(hn::BitCast(d, spread), mask));
    if constexpr (sizeof(T) == 1) {
      store_lower_block(result, words);
    } else {
      hn::StoreU(result, Bytes(), words + i * sizeof(T));
    }
  }
}

/// Four pieces, of as many bits as the shape was made for, one after another. Writes 32 bytes.
HWY_INLINE void store_four_pieces(const PieceBytes& shape, Vector pieces, std::uint8_t* to) {
  const Words<std::uint64_t> d;
  const auto moved = hn::Shl(hn::BitCast(d, pieces), hn::Load(d, shape.shifts));
  const auto part = [&](std::size_t odd) HWY_ATTR {
    const Vector places = hn::Load(Bytes(), shape.bytes[odd]);
    return Vector{_mm256_maskz_permutexvar_epi8(shape.used[odd], places.raw, moved.raw)};
  };
  hn::StoreU(hn::Or(part(0), part(1)), Bytes(), to);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif

#endif  // include guard, toggled per target
