// SPDX-License-Identifier: Apache-2.0
// Words of a lane, as tokens see them: loaded, differences of order 0 to 3, zigzag.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/frames/encode.hpp"
#include "kernels/cuda/frames/warp_team.cuh"

namespace tdz::cuda::frames {

/// The words of one block. Each thread takes kEach neighbours of a tile of 32 * kEach.
template <class Word>
class BlockWords {
 public:
  static constexpr unsigned kEach = 16 / sizeof(Word), kTile = 32 * kEach;
  static constexpr unsigned kHistory = 3;

  /// `block`: its number in the frame.
  __device__ BlockWords(const EncodeBuffers& buffers, const EncodeColumn& column, const EncodeFrame& frame,
                        std::uint32_t block)
      : stride_(frame.stride), order_(column.order), zigzag_(column.zigzag != 0) {
    const std::uint32_t first = block << (column.run + 2);
    begin_ = buffers.in + frame.words + std::uint64_t{first} * stride_;
    number_ = frame.first_word + first;
    piece_ = column.restart == 0 ? ~0u : (1u << column.restart) - 1;
    const auto address = reinterpret_cast<std::uintptr_t>(begin_);
    aligned_ = (address | stride_) % sizeof(Word) == 0;
    dense_ = stride_ == sizeof(Word) && address % 16 == 0;
    first_ = first;
    rows_ = (frame.blocks << (column.run + 2)) - first;
    odd_ = static_cast<unsigned>(address % 16);
    rows_together_ = sizeof(Word) == 1 && stride_ >= 2 && stride_ <= 4 && odd_ < stride_;
  }

  /// Those that this thread takes of a tile, as they lie in memory, and as many before as the order looks at.
  struct Loaded {
    uint4 words;
    Word before[kHistory];  ///< the nearest one first
  };
  __device__ Loaded load(unsigned tile) const {
    Loaded loaded;
    const std::uint32_t at = tile * kTile + warp_thread() * kEach;
    const std::byte* from = begin_ + std::uint64_t{at} * stride_;
    if (dense_) {
      loaded.words = __ldg(reinterpret_cast<const uint4*>(from));
    } else if (sizeof(Word) == 1 && rows_together_ && first_ + at != 0 && at + kEach < rows_) {
      loaded.words = load_rows(from);
    } else {
      Word words[kEach];
#pragma unroll
      for (unsigned i = 0; i < kEach; ++i) words[i] = load_one(from + i * stride_);
      memcpy(&loaded.words, words, sizeof words);
    }
    const std::uint32_t inside = (number_ + at) & piece_;
#pragma unroll
    for (unsigned i = 1; i <= kHistory; ++i) {
      loaded.before[i - 1] = 0;
      if (i <= order_ && i <= inside) loaded.before[i - 1] = load_one(from - std::int64_t{i} * stride_);
    }
    return loaded;
  }

  /// What tokens code. Differences need no mask, because sums in more bits end with the same ones.
  using Wide = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;
  struct Coded {
    Wide word[kEach];
  };
  __device__ Coded transform(const Loaded& loaded) const {
    Word words[kEach];
    memcpy(words, &loaded.words, sizeof words);
    Wide x[kHistory + kEach];
#pragma unroll
    for (unsigned i = 0; i < kHistory; ++i) x[kHistory - 1 - i] = loaded.before[i];
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) x[kHistory + i] = words[i];
#pragma unroll
    for (unsigned order = 1; order <= kHistory; ++order) {
      if (order > order_) break;
#pragma unroll
      for (unsigned i = kHistory + kEach - 1; i >= order; --i) x[i] -= x[i - 1];
    }
    Coded coded;
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i)
      coded.word[i] = zigzag_ ? zigzag(x[kHistory + i]) : Word(x[kHistory + i]);
    return coded;
  }

 private:
  /// From the lowest bits of `x`, in those bits.
  __device__ static Wide zigzag(Wide x) {
    using Signed = std::make_signed_t<Wide>;
    constexpr unsigned kAbove = 8 * (sizeof(Wide) - sizeof(Word));
    const auto top = static_cast<Signed>(x << kAbove);
    const auto sign = static_cast<Wide>(top >> (8 * sizeof(Wide) - 1));
    if constexpr (kAbove == 0)
      return x << 1 ^ sign;
    else
      return static_cast<Wide>(top >> (kAbove - 1)) ^ sign;
  }
  __device__ Word load_one(const std::byte* from) const {
    if (aligned_) return __ldg(reinterpret_cast<const Word*>(from));
    Word word = 0;
    for (unsigned i = 0; i < sizeof(Word); ++i)
      word = static_cast<Word>(word | static_cast<Word>(static_cast<std::uint8_t>(from[i])) << (8 * i));
    return word;
  }

  /// One byte of each of 16 rows. Whole rows are read, and up to 3 bytes of the rows before and behind.
  __device__ uint4 load_rows(const std::byte* from) const {
    const auto* rows = reinterpret_cast<const uint4*>(from - odd_);
    if (stride_ == 2) return every_second(rows);
    if (stride_ == 3) return every_third(rows);
    return every_fourth(rows);
  }
  /// 16 * kStride bytes from the first row's own byte on.
  template <unsigned kStride>
  __device__ void read_rows(const uint4* rows, std::uint32_t (&x)[4 * kStride + 1]) const {
#pragma unroll
    for (unsigned i = 0; i < kStride; ++i) {
      const uint4 four = __ldg(rows + i);
      x[4 * i] = four.x, x[4 * i + 1] = four.y, x[4 * i + 2] = four.z, x[4 * i + 3] = four.w;
    }
    x[4 * kStride] = 0;
#pragma unroll
    for (unsigned i = 0; i < 4 * kStride; ++i) x[i] = __funnelshift_r(x[i], x[i + 1], 8 * odd_);
  }
  __device__ uint4 every_second(const uint4* rows) const {
    std::uint32_t x[9];
    read_rows<2>(rows, x);
    const auto four = [&](unsigned i) { return __byte_perm(x[2 * i], x[2 * i + 1], 0x6420); };
    return make_uint4(four(0), four(1), four(2), four(3));
  }
  __device__ uint4 every_third(const uint4* rows) const {
    std::uint32_t x[13];
    read_rows<3>(rows, x);
    const auto four = [&](unsigned i) {
      return __byte_perm(__byte_perm(x[3 * i], x[3 * i + 1], 0x0630), x[3 * i + 2], 0x5210);
    };
    return make_uint4(four(0), four(1), four(2), four(3));
  }
  __device__ uint4 every_fourth(const uint4* rows) const {
    std::uint32_t x[17];
    read_rows<4>(rows, x);
    const auto four = [&](unsigned i) {
      return __byte_perm(__byte_perm(x[4 * i], x[4 * i + 1], 0x0040),
                         __byte_perm(x[4 * i + 2], x[4 * i + 3], 0x0040), 0x5410);
    };
    return make_uint4(four(0), four(1), four(2), four(3));
  }

  const std::byte* begin_;
  std::uint32_t stride_, number_, piece_;
  std::uint32_t first_, rows_;  ///< this block's first row in the frame; rows from it on
  unsigned order_, odd_;
  bool zigzag_, aligned_, dense_;
  bool rows_together_;  ///< bytes of neighbouring rows come with a few loads of 16 bytes
};

struct Token {
  std::uint32_t token, raw_bits;
};

/// formats/steps/tokens.hpp, in fewer instructions. A word as a float, rounded towards zero, has its leading
/// one's place in the exponent, and the bits below it on top of the mantissa.
class TokenMaker {
 public:
  __device__ explicit TokenMaker(const EncodeColumn& column)
      : k_(column.k),
        m_(column.m),
        base_((1u << k_) - (k_ << m_) - (1u << m_)),
        float_base_((1u << k_) - ((kBias + k_) << m_)) {}

  /// Of 32 or 64 bits.
  template <class Wide>
  __device__ Token operator()(Wide z) const {
    Token made;
    if constexpr (sizeof(Wide) == 8) {
      const std::uint32_t f = 63u - static_cast<std::uint32_t>(__clzll(static_cast<long long>(z)));
      made.raw_bits = f - m_;
      made.token = base_ + (f << m_) + static_cast<std::uint32_t>(z >> (made.raw_bits % 64));
    } else {
      const std::uint32_t bits = __float_as_uint(__uint2float_rz(z));
      made.raw_bits = (bits >> 23) - (kBias + m_);
      made.token = (bits >> (23 - m_)) + float_base_;
    }
    return z >> k_ == 0 ? Token{static_cast<std::uint32_t>(z), 0} : made;
  }
  __device__ std::uint32_t raw_bits_of(std::uint32_t token) const {
    return token >> k_ == 0 ? 0 : ((token - (1u << k_)) >> m_) + k_ - m_;
  }

 private:
  static constexpr std::uint32_t kBias = 127;
  std::uint32_t k_, m_, base_, float_base_;
};

/// Bytes with m = 7 are their own tokens.
class ByteTokens {
 public:
  __device__ explicit ByteTokens(const EncodeColumn&) {}
  __device__ static bool are_those_of(const EncodeColumn& column) { return column.m == 7; }  // and so is k

  __device__ Token operator()(std::uint32_t z) const { return {z, 0}; }
  __device__ std::uint32_t raw_bits_of(std::uint32_t) const { return 0; }
};

/// Where a block stands, and what it needs.
struct BlockPlace {
  const EncodeGroup* group;
  const EncodeFrame* frame;
  const EncodeColumn* column;
  std::uint32_t in_frame, block;

  __device__ BlockPlace(const EncodeTables& tables, std::uint32_t group_number, std::uint32_t in_group)
      : group(&tables.groups[group_number]),
        frame(&tables.frames[group->frame]),
        column(&tables.columns[frame->column]),
        in_frame(group->number * 8u + in_group),
        block(frame->first_block + in_frame) {}
  __device__ bool is_last() const { return in_frame + 1 == frame->blocks; }
};

}  // namespace tdz::cuda::frames
