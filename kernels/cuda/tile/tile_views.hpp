// SPDX-License-Identifier: Apache-2.0
// A segment in shared memory, as its thread reads and writes it: row after row, in any layout. For host and
// device.
//
// read() may leave any bits above the word in a sum of 32 bits: sums mod 2^32 never carry them down.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_shape.hpp"

namespace tdz::cuda {

/// `digit` in each of the words that fill 32 bits.
template <class Word>
TDZ_HOST_DEVICE constexpr std::uint32_t each_word(std::uint32_t digit) {
  return 0xFFFFFFFFu / static_cast<Word>(-1) * digit;
}

/// How residuals are coded within their words; `packed` means two or four words at once. Plain costs nothing.
/// MaybeZigzag decides at run time, for four instructions a word or pack, so that rare paths are compiled
/// only once.
struct Plain {
  template <class Word>
  TDZ_HOST_DEVICE constexpr Sum<Word> in(Sum<Word> bits) const {
    return bits;
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr Word out(Sum<Word> residual) const {
    return static_cast<Word>(residual);
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr std::uint32_t in_packed(std::uint32_t bits) const {
    return bits;
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr std::uint32_t out_packed(std::uint32_t residuals) const {
    return residuals;
  }
};
struct MaybeZigzag {
  std::uint32_t on;  ///< 0 or 1

  template <class Word>
  TDZ_HOST_DEVICE constexpr Sum<Word> in(Sum<Word> bits) const {
    const Sum<Word> code = static_cast<Word>(bits);
    return (code >> on) ^ (Sum<Word>{0} - (code & on));
  }
  /// 64 bits from two halves, for 32-bit arithmetic.
  TDZ_HOST_DEVICE constexpr std::uint64_t in_halves(std::uint32_t low, std::uint32_t high) const {
    const std::uint32_t sign = 0u - (low & on);
    const std::uint32_t shifted = low >> on | (high & on) << 31;
    return std::uint64_t{(high >> on) ^ sign} << 32 | (shifted ^ sign);
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr Word out(Sum<Word> residual) const {
    const Sum<Word> sign = static_cast<Word>(residual) >> (8 * sizeof(Word) - 1);
    return static_cast<Word>((residual << on) ^ (Sum<Word>{0} - (sign & on)));
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr std::uint32_t in_packed(std::uint32_t bits) const {
    const std::uint32_t lowest = each_word<Word>(on), highest = lowest << (8 * sizeof(Word) - 1);
    return ((bits >> on) & ~highest) ^ ((bits & lowest) * static_cast<Word>(-1));
  }
  template <class Word>
  TDZ_HOST_DEVICE constexpr std::uint32_t out_packed(std::uint32_t residuals) const {
    const std::uint32_t lowest = each_word<Word>(on);
    const std::uint32_t signs = (residuals >> (8 * sizeof(Word) - 1)) & lowest;
    return ((residuals << on) & ~lowest) ^ (signs * static_cast<Word>(-1));
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

/// The low bytes of two or four registers side by side in one.
template <class Word>
TDZ_HOST_DEVICE constexpr std::uint32_t packed(const std::uint32_t (&word)[4 / sizeof(Word)]) {
  if constexpr (sizeof(Word) == 1) {
    return pick_bytes(pick_bytes(word[0], word[1], 0x0040), pick_bytes(word[2], word[3], 0x0040), 0x5410);
  } else {
    return pick_bytes(word[0], word[1], 0x5410);
  }
}

/// Words of a tuple of one, moved four bytes at a time. Precondition: `first` is aligned to four bytes.
template <class Word, class Code>
struct PackedView {
  static constexpr unsigned kPack = sizeof(Word) < 4 ? 4 / sizeof(Word) : 1;
  static constexpr unsigned kBits = 8 * sizeof(Word) % 32;
  static constexpr unsigned kUnroll = 16 / kPack;
  Sum<Word>* first;
  Code code;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[kPack]) const {
    if constexpr (kPack == 1) {
      word[0] = code.template in<Word>(first[row]);
    } else {
      const std::uint32_t bits = code.template in_packed<Word>(first[row / kPack]);
      for (unsigned i = 0; i < kPack; ++i) word[i] = bits >> (i * kBits);
    }
  }
  TDZ_HOST_DEVICE void write(std::uint32_t row, const Sum<Word> (&word)[kPack]) const {
    if constexpr (kPack == 1) {
      first[row] = code.template out<Word>(word[0]);
    } else {
      first[row / kPack] = code.template out_packed<Word>(packed<Word>(word));
    }
  }
};

/// Words whose bytes go to sizeof(Word) planes, `stride` bytes apart.
template <class Word, class Code>
struct PlaneSink {
  static constexpr unsigned kPack = 1;
  std::uint8_t* plane[sizeof(Word)];
  std::uint32_t stride;
  Code code;

  TDZ_HOST_DEVICE void write(std::uint32_t row, const Sum<Word> (&word)[1]) const {
    const Sum<Word> bits = code.template out<Word>(word[0]);
    for (unsigned b = 0; b < sizeof(Word); ++b)
      plane[b][row * stride] = static_cast<std::uint8_t>(bits >> (8 * b));
  }
};

/// Four rows in as few registers as hold them.
template <class Word>
struct FourRows {
  static constexpr unsigned kSide = sizeof(Word) < 4 ? 4 / sizeof(Word) : 1;  ///< words in a register
  Sum<Word> part[4 / kSide];

  TDZ_HOST_DEVICE constexpr Sum<Word> operator[](unsigned i) const {
    return part[i / kSide] >> (i % kSide * 8 * sizeof(Word));
  }
};

/// Rows 0..3 of four planes of four bytes each: the 4 x 4 bytes transposed.
TDZ_HOST_DEVICE constexpr void transpose4x4(std::uint32_t (&x)[4]) {
  const std::uint32_t a = pick_bytes(x[0], x[1], 0x5140), b = pick_bytes(x[2], x[3], 0x5140);
  const std::uint32_t c = pick_bytes(x[0], x[1], 0x7362), d = pick_bytes(x[2], x[3], 0x7362);
  x[0] = pick_bytes(a, b, 0x5410);
  x[1] = pick_bytes(a, b, 0x7632);
  x[2] = pick_bytes(c, d, 0x5410);
  x[3] = pick_bytes(c, d, 0x7632);
}

/// Four bytes of a plane that lie side by side. They are read as two aligned words, which may reach up to
/// seven bytes beyond the segment: into the piece's own room, the next piece, or the room after the last one.
struct Dense {
  TDZ_HOST_DEVICE std::uint32_t four(const std::uint8_t* plane, std::uint32_t row) const {
    const std::uint8_t* at = plane + row;
    const auto offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % 4);
    const auto* aligned = reinterpret_cast<const std::uint32_t*>(at - offset);
#ifdef __CUDA_ARCH__
    return __funnelshift_r(aligned[0], aligned[1], 8 * offset);
#else
    return static_cast<std::uint32_t>((std::uint64_t{aligned[1]} << 32 | aligned[0]) >> (8 * offset));
#endif
  }
};
/// Four bytes of a plane that lie a tuple apart. They may reach up to three rows beyond the segment.
struct Strided {
  std::uint32_t stride;

  TDZ_HOST_DEVICE std::uint32_t four(const std::uint8_t* plane, std::uint32_t row) const {
    const std::uint8_t* at = plane + row * stride;
    return packed<std::uint8_t>({at[0], at[stride], at[2 * stride], at[3 * stride]});
  }
};

/// Words whose bytes come from planes, four rows at a time.
template <class Word, class Bytes>
struct PlaneSource {
  static constexpr unsigned kPack = 4;
  static constexpr unsigned kUnroll = 2;
  std::uint8_t* plane[sizeof(Word)];
  Bytes bytes;
  MaybeZigzag code;

  TDZ_HOST_DEVICE FourRows<Word> four(std::uint32_t row) const {
    if constexpr (sizeof(Word) == 1) {
      return {code.template in_packed<Word>(bytes.four(plane[0], row))};
    } else if constexpr (sizeof(Word) == 2) {
      const std::uint32_t low = bytes.four(plane[0], row), high = bytes.four(plane[1], row);
      return {code.template in_packed<Word>(pick_bytes(low, high, 0x5140)),
              code.template in_packed<Word>(pick_bytes(low, high, 0x7362))};
    } else if constexpr (sizeof(Word) == 4) {
      std::uint32_t word[4];
      read_transposed(0, row, word);
      return {code.template in<Word>(word[0]), code.template in<Word>(word[1]),
              code.template in<Word>(word[2]), code.template in<Word>(word[3])};
    } else {
      std::uint32_t low[4], high[4];
      read_transposed(0, row, low);
      read_transposed(4, row, high);
      return {code.in_halves(low[0], high[0]), code.in_halves(low[1], high[1]),
              code.in_halves(low[2], high[2]), code.in_halves(low[3], high[3])};
    }
  }
  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[4]) const {
    const FourRows<Word> rows = four(row);
    for (unsigned i = 0; i < 4; ++i) word[i] = rows[i];
  }

 private:
  TDZ_HOST_DEVICE void read_transposed(unsigned first, std::uint32_t row, std::uint32_t (&word)[4]) const {
    for (unsigned b = 0; b < 4; ++b) word[b] = bytes.four(plane[first + b], row);
    transpose4x4(word);
  }
};

/// KeepingSource keeps a source's rows in registers while they are read; KeptRows is a source that reads them
/// from there. Loops over them must be fully unrolled.
template <class Word, unsigned Fours>
struct KeptRows {
  static constexpr unsigned kPack = 4;
  static constexpr unsigned kUnroll = Fours;
  FourRows<Word> four[Fours];

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[4]) const {
    for (unsigned i = 0; i < 4; ++i) word[i] = four[row / 4][i];
  }
};
template <class Word, unsigned Fours, class Source>
struct KeepingSource {
  static constexpr unsigned kPack = 4;
  static constexpr unsigned kUnroll = Fours;
  const Source& source;
  KeptRows<Word, Fours>& kept;

  TDZ_HOST_DEVICE void read(std::uint32_t row, Sum<Word> (&word)[4]) const {
    kept.four[row / 4] = source.four(row);
    kept.read(row, word);
  }
};

/// Where the planes of one thread's segment begin. Pieces lie `stride` bytes apart from `pieces` on, each at
/// its address mod 16.
template <class Word>
TDZ_HOST_DEVICE void find_planes(const PieceMap& map, std::uint8_t* pieces, std::uint32_t stride,
                                 std::uint64_t tile_row, const Assignment& at, std::uint32_t rows,
                                 std::uint8_t* (&plane)[sizeof(Word)]) {
  const bool by_lane = map.layout == Layout::tuple_planes;
  const std::uint32_t row = at.segment * rows;
  const std::uint32_t offset = by_lane ? row : row * map.tuple + at.lane;
  for (unsigned b = 0; b < sizeof(Word); ++b) {
    const std::uint32_t piece = by_lane ? b * map.tuple + at.lane : b;
    plane[b] = pieces + piece * stride + map.phase(at.lane, b, tile_row) + offset;
  }
}

/// An 8 x 8 bit matrix transposed: bit j of byte k becomes bit k of byte j. Its own inverse (Warren, Hacker's
/// Delight, 2nd ed., 7-3).
TDZ_HOST_DEVICE constexpr std::uint64_t transpose8x8(std::uint64_t x) {
  std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAull;
  x ^= t ^ (t << 7);
  t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCull;
  x ^= t ^ (t << 14);
  t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ull;
  return x ^ t ^ (t << 28);
}

}  // namespace tdz::cuda
