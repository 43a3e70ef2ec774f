// SPDX-License-Identifier: Apache-2.0
// A segment as its thread sees it in shared memory: row after row, whatever the layout. For host and device.
//
// read() may leave anything above the word's bits in a sum of 32 bits: sums mod 2^32 do not let it come down.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile_shape.hpp"

namespace tdz::cuda {

/// How residuals are coded within their words. Plain costs nothing; MaybeZigzag decides at run time, four
/// instructions a word, so that the rarer paths need not be compiled twice.
struct Plain {
  template <class Word>
  TDZ_HOST_DEVICE constexpr Sum<Word> in(Sum<Word> bits) const {
    return bits;
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr Word out(Sum<Word> residual) const {
    return static_cast<Word>(residual);
  }
};
struct MaybeZigzag {
  std::uint32_t on;  ///< 0 or 1

  template <class Word>
  TDZ_HOST_DEVICE constexpr Sum<Word> in(Sum<Word> bits) const {
    const Sum<Word> code = static_cast<Word>(bits);
    return (code >> on) ^ (Sum<Word>{0} - (code & on));
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr Word out(Sum<Word> residual) const {
    const Sum<Word> sign = static_cast<Word>(residual) >> (8 * sizeof(Word) - 1);
    return static_cast<Word>((residual << on) ^ (Sum<Word>{0} - (sign & on)));
  }
};

/// Whole words, `stride` words apart.
template <class Word, class Code>
struct WordView {
  static constexpr unsigned kPack = 1;
  static constexpr unsigned kUnroll = 16;
  Word* first;
  std::uint32_t stride;
  Code code;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[1]) const {
    word[0] = code.template in<Word>(first[row * stride]);
  }
  TDZ_HOST_DEVICE void write(std::uint32_t row, const Sum<Word> (&word)[1]) const {
    first[row * stride] = code.template out<Word>(word[0]);
  }
};

/// Words of a tuple of one, moved four bytes at a time. Precondition: `first` is aligned to four bytes.
template <class Word, class Code>
struct PackedView {
  static constexpr unsigned kPack = sizeof(Word) < 4 ? 4 / sizeof(Word) : 1;
  static constexpr unsigned kBits = 8 * sizeof(Word) % 32;
  static constexpr unsigned kUnroll = 16 / kPack;
  Sum<Word>* first;
  Code code;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[kPack]) const {
    const Sum<Word> bits = first[row / kPack];
    for (unsigned i = 0; i < kPack; ++i) word[i] = code.template in<Word>(bits >> (i * kBits));
  }
  TDZ_HOST_DEVICE void write(std::uint32_t row, const Sum<Word> (&word)[kPack]) const {
    Sum<Word> bits = 0;
    for (unsigned i = 0; i < kPack; ++i) bits |= Sum<Word>{code.template out<Word>(word[i])} << (i * kBits);
    first[row / kPack] = bits;
  }
};

/// Words whose bytes lie in sizeof(Word) planes, `stride` bytes apart.
template <class Word, class Code>
struct PlaneView {
  static constexpr unsigned kPack = 1;
  static constexpr unsigned kUnroll = 4;
  std::uint8_t* plane[sizeof(Word)];
  std::uint32_t stride;
  Code code;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[1]) const {
    Sum<Word> bits = 0;
    for (unsigned b = 0; b < sizeof(Word); ++b) bits |= Sum<Word>{plane[b][row * stride]} << (8 * b);
    word[0] = code.template in<Word>(bits);
  }
  TDZ_HOST_DEVICE void write(std::uint32_t row, const Sum<Word> (&word)[1]) const {
    const Sum<Word> bits = code.template out<Word>(word[0]);
    for (unsigned b = 0; b < sizeof(Word); ++b)
      plane[b][row * stride] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
};

/// Two registers' bytes, picked by the four low digits of `pick` (PTX prmt).
TDZ_HOST_DEVICE constexpr std::uint32_t pick_bytes(std::uint32_t low, std::uint32_t high,
                                                   std::uint32_t pick) {
#ifdef __CUDA_ARCH__
  return __byte_perm(low, high, pick);
#else
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  std::uint32_t picked = 0;
  for (unsigned i = 0; i < 4; ++i)
    picked |= static_cast<std::uint32_t>(both >> (8 * (pick >> (4 * i) & 7)) & 0xFF) << (8 * i);
  return picked;
#endif
}

/// Rows 0..3 of up to four planes of four bytes each: the 4 x 4 bytes transposed.
TDZ_HOST_DEVICE constexpr void transpose4x4(std::uint32_t (&x)[4]) {
  const std::uint32_t a = pick_bytes(x[0], x[1], 0x5140), b = pick_bytes(x[2], x[3], 0x5140);
  const std::uint32_t c = pick_bytes(x[0], x[1], 0x7362), d = pick_bytes(x[2], x[3], 0x7362);
  x[0] = pick_bytes(a, b, 0x5410);
  x[1] = pick_bytes(a, b, 0x7632);
  x[2] = pick_bytes(c, d, 0x5410);
  x[3] = pick_bytes(c, d, 0x7632);
}

/// The same for planes whose rows lie side by side: reads four rows at once, as two aligned words of each
/// plane. May read up to seven bytes beyond the segment, which a slot's slack or the next part of shared
/// memory absorbs.
template <class Word, class Code>
struct DensePlaneView {
  static constexpr unsigned kPack = 4;
  static constexpr unsigned kUnroll = 2;
  std::uint8_t* plane[sizeof(Word)];
  Code code;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[4]) const {
    for (Sum<Word>& each : word) each = 0;
    if constexpr (sizeof(Word) == 1) {
      for (unsigned i = 0; i < 4; ++i) word[i] = four(plane[0] + row) >> (8 * i);
    }
    for (unsigned half = 0; sizeof(Word) > 1 && half < sizeof(Word); half += 4) {
      std::uint32_t bytes[4] = {};
      for (unsigned b = 0; b < 4 && half + b < sizeof(Word); ++b) bytes[b] = four(plane[half + b] + row);
      transpose4x4(bytes);
      for (unsigned i = 0; i < 4; ++i) word[i] |= Sum<Word>{bytes[i]} << (8 * half % (8 * sizeof(Sum<Word>)));
    }
    for (Sum<Word>& each : word) each = code.template in<Word>(each);
  }

 private:
  TDZ_HOST_DEVICE static std::uint32_t four(const std::uint8_t* at) {
    const auto offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % 4);
    const auto* aligned = reinterpret_cast<const std::uint32_t*>(at - offset);
#ifdef __CUDA_ARCH__
    return __funnelshift_r(aligned[0], aligned[1], 8 * offset);
#else
    return static_cast<std::uint32_t>((std::uint64_t{aligned[1]} << 32 | aligned[0]) >> (8 * offset));
#endif
  }
};

/// Where the planes of one thread's segment begin: slot after slot in `slots`, each piece at its address
/// mod 16.
template <class Word>
TDZ_HOST_DEVICE void find_planes(const PieceMap& map, std::uint8_t* slots, std::uint32_t slot,
                                 std::uint64_t tile_row, const Seat& at, std::uint32_t rows,
                                 std::uint8_t* (&plane)[sizeof(Word)]) {
  const bool by_lane = map.layout == Layout::tuple_planes;
  const std::uint32_t row = at.segment * rows;
  const std::uint32_t offset = by_lane ? row : row * map.tuple + at.lane;
  for (unsigned b = 0; b < sizeof(Word); ++b) {
    const std::uint32_t piece = by_lane ? b * map.tuple + at.lane : b;
    plane[b] = slots + piece * slot + map.phase(at.lane, b, tile_row) + offset;
  }
}

/// Eight words from the bytes of their 8 * sizeof(Word) bit planes, `apart` bytes apart, and back. Each byte
/// of a word is an 8 x 8 bit matrix to transpose (Warren, Hacker's Delight, 2nd ed., 7-3).
TDZ_HOST_DEVICE constexpr std::uint64_t transpose8x8(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAull;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCull;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ull;
  return x ^ t ^ (t << 28);
}

}  // namespace tdz::cuda
