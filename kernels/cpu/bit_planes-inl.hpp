// SPDX-License-Identifier: Apache-2.0
// Bit planes: bit b of all words together. Eight bytes of a byte plane are one record. Its 8 x 8 bits are
// transposed (Warren, Hacker's Delight, 7-3); after that, byte b of all records is bit plane b.
#if defined(TDZ_KERNELS_CPU_BIT_PLANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TDZ_KERNELS_CPU_BIT_PLANES_INL_HPP
#undef TDZ_KERNELS_CPU_BIT_PLANES_INL_HPP
#else
#define TDZ_KERNELS_CPU_BIT_PLANES_INL_HPP
#endif

#include "kernels/cpu/planes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

/// One of three rounds: swaps the two quarters of every square that are not on its diagonal.
template <int kShift, class V>
HWY_INLINE V swap_quarters(V x, std::uint64_t lower_left) {
  const auto mask = hn::Set(Words<std::uint64_t>(), lower_left);
  const auto changed = hn::And(hn::Xor(x, hn::ShiftRight<kShift>(x)), mask);
  return hn::Xor(x, hn::Xor(changed, hn::ShiftLeft<kShift>(changed)));
}

/// Bit j of byte k becomes bit k of byte j, in every eight bytes. Its own inverse.
struct TransposeBits {
  HWY_INLINE Vector operator()(Vector bytes) const {
    auto x = hn::BitCast(Words<std::uint64_t>(), bytes);
    x = swap_quarters<7>(x, 0x00AA00AA00AA00AAull);
    x = swap_quarters<14>(x, 0x0000CCCC0000CCCCull);
    x = swap_quarters<28>(x, 0x00000000F0F0F0F0ull);
    return hn::BitCast(Bytes(), x);
  }
};

/// Words [first, first + words) of a chunk of `total` words, all of them multiples of 8.
struct BitTile {
  std::size_t word;  ///< bytes
  std::size_t first, words, total;

  /// Byte plane b is a matrix of 8-byte records; its columns are the bit planes.
  HWY_INLINE ColumnMap bits() const { return {8, total / 8, 0}; }
  HWY_INLINE Tile bit_tile() const { return {first / 8, words / 8, 0, 8, 8}; }
  HWY_INLINE ColumnMap byte_planes() const { return {word, words, 0}; }
  HWY_INLINE Tile byte_tile() const { return {0, words, 0, word, word}; }
};

HWY_NOINLINE void scatter_bits(const std::uint8_t* records, const BitTile& tile, std::uint8_t* out) {
  HWY_ALIGN std::uint8_t plane[kSweepBytes];
  scatter_tile(records, tile.byte_tile(), tile.byte_planes(), plane);
  map_vectors(plane, plane, tile.words * tile.word, TransposeBits());
  for (std::size_t b = 0; b < tile.word; ++b) {
    scatter_tile(plane + b * tile.words, tile.bit_tile(), tile.bits(), out + b * tile.total);
  }
}

HWY_NOINLINE void gather_bits(const std::uint8_t* in, const BitTile& tile, std::uint8_t* records) {
  HWY_ALIGN std::uint8_t plane[kSweepBytes];
  for (std::size_t b = 0; b < tile.word; ++b) {
    gather_tile(in + b * tile.total, tile.bits(), tile.bit_tile(), plane + b * tile.words);
  }
  map_vectors(plane, plane, tile.words * tile.word, TransposeBits());
  gather_tile(plane, tile.byte_planes(), tile.byte_tile(), records);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
