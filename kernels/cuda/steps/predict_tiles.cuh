// SPDX-License-Identifier: Apache-2.0
// Blocks of prediction whose words lie side by side, 32 of them by a warp. Each thread walks one block: the
// words of one lane in 4096 rows. The threads of a tuple's lanes share these rows, a strip of them. The words
// come and go through shared memory, a tile of some rows of every strip: so the warp reads and writes whole
// lines, although its strips are kPredictRows rows apart.
#pragma once

#include "kernels/cuda/steps/prediction.hpp"

namespace tdz::cuda {

/// Rows of a tile: so many that they fill whole lines of 16 bytes for any tuple, and at most 128 bytes for
/// each thread.
template <unsigned Width>
inline constexpr std::uint32_t kTileRows = 128 / Width / 16 * 16;
/// Lines of a tile for each thread.
template <unsigned Width>
inline constexpr std::uint32_t kTileLines = (kTileRows<Width> * Width) / 16;

/// A strip. Addresses are multiples of 16.
struct PredictPlace {
  const Byte* in;  // no initial values: a table of them lies in shared memory
  Byte* out;
  std::uint32_t bytes;  ///< 0: the strip has no words
};

/// A warp's shared memory: a tile of each strip. They begin an odd number of lines apart, so that threads
/// which read lines do not meet in a bank, and those that read words are few in one.
template <unsigned Width>
struct PredictTiles {
  PredictPlace place[32];
  uint4 line[32 * (kTileLines<Width> + 1)];
};

/// How a warp is divided into strips, for tuples of at most 32.
struct WarpStrips {
  std::uint32_t tuple = 1;

  __device__ std::uint32_t strips() const { return 32 / tuple; }
  __device__ std::uint32_t strip() const { return threadIdx.x % 32 / tuple; }
  __device__ std::uint32_t lane() const { return threadIdx.x % 32 % tuple; }
  /// Whether this thread has a strip.
  __device__ bool has_strip() const { return strip() < strips(); }
};

/// A line, if the strip has all of it; if not, zeros.
__device__ inline uint4 load_whole_line(const PredictPlace& place, std::uint32_t at) {
  uint4 line = make_uint4(0, 0, 0, 0);
  if (at + 16 <= place.bytes) line = *reinterpret_cast<const uint4*>(place.in + at);
  return line;
}
/// A line of which the strip has the first bytes.
__device__ inline uint4 load_cut_line(const PredictPlace& place, std::uint32_t at) {
  unsigned word[4] = {};
#pragma unroll
  for (unsigned b = 0; b < 16; ++b)
    if (at + b < place.bytes) word[b / 4] |= unsigned{place.in[at + b]} << (8 * (b % 4));
  return make_uint4(word[0], word[1], word[2], word[3]);
}

__device__ inline void store_whole_line(const PredictPlace& place, std::uint32_t at, const uint4& line) {
  if (at + 16 <= place.bytes) *reinterpret_cast<uint4*>(place.out + at) = line;
}
__device__ inline void store_cut_line(const PredictPlace& place, std::uint32_t at, const uint4& line) {
  const unsigned word[4] = {line.x, line.y, line.z, line.w};
#pragma unroll
  for (unsigned b = 0; b < 16; ++b)
    if (at + b < place.bytes) place.out[at + b] = static_cast<Byte>(word[b / 4] >> (8 * (b % 4)) & 0xFF);
}

/// The words of 16 bytes, one after another.
template <unsigned Width, class Step>
__device__ uint4 each_word(const uint4& line, const Step& step) {
  const unsigned from[4] = {line.x, line.y, line.z, line.w};
  unsigned to[4] = {};
  constexpr unsigned kShared = Width < 4 ? 4 / Width : 1;
#pragma unroll
  for (unsigned j = 0; j < 16 / Width; ++j) {
    if constexpr (Width == 8) {
      const std::uint64_t word = step(j, std::uint64_t{from[2 * j + 1]} << 32 | from[2 * j]);
      to[2 * j] = static_cast<unsigned>(word), to[2 * j + 1] = static_cast<unsigned>(word >> 32);
    } else {
      constexpr unsigned kMask = Width == 4 ? ~0u : (1u << (8 * Width % 32)) - 1;
      const unsigned shift = j % kShared * 8 * Width;
      const auto word = static_cast<unsigned>(step(j, from[j / kShared] >> shift & kMask));
      to[j / kShared] |= (word & kMask) << shift;
    }
  }
  return make_uint4(to[0], to[1], to[2], to[3]);
}

/// Words of one lane among those of others, in shared memory. All are read before one is written: otherwise
/// each read would wait until the word before it is written.
template <unsigned Width, class Step>
__device__ void each_row(Byte* words, std::uint32_t tuple, const Step& step) {
  std::uint64_t word[8];
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) word[r] = read_word<Width>(words + r * tuple * Width, true);
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) word[r] = step(r, word[r]);
#pragma unroll
  for (unsigned r = 0; r < 8; ++r) write_word<Width>(words + r * tuple * Width, word[r], true);
}

/// Words of 3 bytes in three lines: 16 words of one lane, or 8 of each of two lanes. The threads of two lanes
/// read the same lines, and each takes its words out of them; a word is within two neighbouring registers.
template <unsigned Tuple, class Step>
__device__ void each_of_three_bytes(uint4* lines, std::uint32_t lane, const Step& step) {
  constexpr unsigned kWords = 16 / Tuple;
  unsigned part[12];
#pragma unroll
  for (unsigned l = 0; l < 3; ++l) {
    const uint4 line = lines[l];
    part[4 * l] = line.x, part[4 * l + 1] = line.y, part[4 * l + 2] = line.z, part[4 * l + 3] = line.w;
  }
  __syncwarp();  // the thread of the other lane may write now
  unsigned word[kWords];
#pragma unroll
  for (unsigned r = 0; r < kWords; ++r) {
    const unsigned at = 3 * Tuple * r, begin = at % 4 + 3 * lane;  // of the word, in two registers
    const unsigned next = part[at / 4 + (at / 4 < 11 ? 1 : 0)];
    word[r] = __byte_perm(part[at / 4], next, 0x0210 + 0x0111 * begin);
  }
#pragma unroll
  for (unsigned r = 0; r < kWords; ++r) word[r] = static_cast<unsigned>(step(r, word[r]));
  if constexpr (Tuple == 1) {
#pragma unroll
    for (unsigned q = 0; q < 4; ++q) {
      part[3 * q] = __byte_perm(word[4 * q], word[4 * q + 1], 0x4210);
      part[3 * q + 1] = __byte_perm(word[4 * q + 1], word[4 * q + 2], 0x5421);
      part[3 * q + 2] = __byte_perm(word[4 * q + 2], word[4 * q + 3], 0x6542);
    }
#pragma unroll
    for (unsigned l = 0; l < 3; ++l)
      lines[l] = make_uint4(part[4 * l], part[4 * l + 1], part[4 * l + 2], part[4 * l + 3]);
  } else {
    // The second lane begins at odd addresses: a byte, then an aligned half.
    Byte* const at = reinterpret_cast<Byte*>(lines) + 3 * lane;
    const unsigned half_at = lane, byte_at = lane == 0 ? 2 : 0, order = lane == 0 ? 0x4210 : 0x4021;
#pragma unroll
    for (unsigned r = 0; r < kWords; ++r) {
      const unsigned moved = __byte_perm(word[r], 0, order);
      *reinterpret_cast<std::uint16_t*>(at + 6 * r + half_at) = static_cast<std::uint16_t>(moved);
      at[6 * r + byte_at] = static_cast<Byte>(moved >> 16);
    }
  }
}

/// A tile of words of 3 bytes, of one lane or two.
template <unsigned Tuple, unsigned Terms, class Some, class Behind>
__device__ void walk_three_bytes(uint4* tile, std::uint32_t lane, std::uint32_t first, const Some& some,
                                 const Behind& behind) {
  constexpr std::uint32_t kRows = 16 / Tuple;
#pragma unroll 1
  for (std::uint32_t r = 0; r < kTileRows<3>; r += kRows, tile += 3) {
    if (first + r < Terms)
      each_of_three_bytes<Tuple>(tile, lane, some(first + r));
    else
      each_of_three_bytes<Tuple>(tile, lane, behind);
  }
}

/// The words of a thread's block that are in its tile. `first`: the row of the tile in the block.
template <unsigned Width, unsigned Terms>
__device__ void walk_tile(uint4* tile, const WarpStrips& warp, std::uint32_t first,
                          BlockWalk<Width, Terms>& walk) {
  const auto some = [&](std::uint32_t row) {
    return [&walk, row](unsigned r, std::uint64_t residual) { return walk.step(row + r, residual); };
  };
  const auto behind = [&](unsigned, std::uint64_t residual) { return walk.step_behind(residual); };
  if constexpr (kIsMachineWord<Width>) {
    if (warp.tuple == 1) {
#pragma unroll 1
      for (unsigned l = 0; l < kTileLines<Width>; ++l) {
        const std::uint32_t row = first + 16 / Width * l;
        tile[l] = row < Terms ? each_word<Width>(tile[l], some(row)) : each_word<Width>(tile[l], behind);
      }
      return;
    }
  }
  if constexpr (Width == 3) {
    if (warp.tuple == 1) return walk_three_bytes<1, Terms>(tile, 0, first, some, behind);
    if (warp.tuple == 2) return walk_three_bytes<2, Terms>(tile, warp.lane(), first, some, behind);
  }
  Byte* const words = reinterpret_cast<Byte*>(tile) + warp.lane() * Width;
#pragma unroll 1
  for (std::uint32_t r = 0; r < kTileRows<Width>; r += 8) {
    Byte* const at = words + r * warp.tuple * Width;
    if (first + r < Terms)
      each_row<Width>(at, warp.tuple, some(first + r));
    else
      each_row<Width>(at, warp.tuple, behind);
  }
}

/// The lines of a warp's tiles as its threads copy them: a thread takes every 32nd line.
template <unsigned Width>
class TileCopy {
 public:
  /// `cuts`: the last line of a strip is not whole.
  __device__ TileCopy(PredictTiles<Width>& tiles, const WarpStrips& warp, bool cuts)
      : tiles_(tiles), lines_(kTileLines<Width> * warp.tuple), all_(warp.strips() * lines_), cuts_(cuts) {}

  /// Bytes of a tile.
  __device__ std::uint32_t bytes() const { return 16 * lines_; }
  __device__ uint4* tile(std::uint32_t strip) const { return tiles_.line + strip * (lines_ | 1); }

  /// The bytes of all strips from `first` on. Half of the loads are on their way before one is waited for.
  __device__ void load(std::uint32_t first) const {
#pragma unroll 1
    for (unsigned half = 0; half < 2; ++half) {
      uint4 line[kHalf];
      each(half, [&](unsigned k, const PredictPlace& place, std::uint32_t at, uint4&) {
        line[k] = load_whole_line(place, first + at);
      });
      each(half, [&](unsigned k, const PredictPlace&, std::uint32_t, uint4& to) { to = line[k]; });
    }
    if (cuts_)
      each_cut(first,
               [](const PredictPlace& place, std::uint32_t at, uint4& to) { to = load_cut_line(place, at); });
  }
  __device__ void store(std::uint32_t first) const {
#pragma unroll 1
    for (unsigned half = 0; half < 2; ++half)
      each(half, [&](unsigned, const PredictPlace& place, std::uint32_t at, const uint4& line) {
        store_whole_line(place, first + at, line);
      });
    if (cuts_)
      each_cut(first, [](const PredictPlace& place, std::uint32_t at, const uint4& line) {
        store_cut_line(place, at, line);
      });
  }

 private:
  static constexpr unsigned kHalf = (kTileLines<Width> + 1) / 2;

  /// A number that the compiler does not keep in registers over a walk.
  __device__ static std::uint32_t thread() {
    std::uint32_t thread = threadIdx.x % 32;
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+r"(thread));
#endif
    return thread;
  }

  /// Calls use(k, place, at, line) for the k-th line of this thread in this half of its lines.
  template <class Use>
  __device__ void each(unsigned half, const Use& use) const {
    std::uint32_t l = thread() + 32 * kHalf * half, strip = l / lines_, part = l % lines_;
    const std::uint32_t strips_on = 32 / lines_, parts_on = 32 % lines_;
#pragma unroll
    for (unsigned k = 0; k < kHalf; ++k, l += 32) {
      if (l < all_) use(k, tiles_.place[strip], 16 * part, tile(strip)[part]);
      strip += strips_on, part += parts_on;
      if (part >= lines_) part -= lines_, ++strip;
    }
  }

  template <class Use>
  __device__ void each_cut(std::uint32_t first, const Use& use) const {
#pragma unroll 1
    for (std::uint32_t l = thread(); l < all_; l += 32) {
      const PredictPlace& place = tiles_.place[l / lines_];
      const std::uint32_t at = first + 16 * (l % lines_);
      if (at < place.bytes && at + 16 > place.bytes) use(place, at, tile(l / lines_)[l % lines_]);
    }
  }

  PredictTiles<Width>& tiles_;
  std::uint32_t lines_, all_;  ///< of a tile; of all strips
  bool cuts_;
};

/// By a whole warp, whose places are in the tiles. `most`: at least the bytes of each of them.
template <unsigned Width, unsigned Terms>
__device__ void walk_tiles(const TileCopy<Width>& copy, const WarpStrips& warp, std::uint32_t most,
                           BlockWalk<Width, Terms> walk) {
  std::uint32_t row = 0;
  for (std::uint32_t first = 0; first < most; first += copy.bytes(), row += kTileRows<Width>) {
    copy.load(first);
    __syncwarp();  // publishes the tile
    if (warp.has_strip()) walk_tile(copy.tile(warp.strip()), warp, row, walk);
    __syncwarp();  // publishes the words
    copy.store(first);
    __syncwarp();  // frees the tile
  }
}

/// What a thread knows of its block's predictor. `side`: its coefficients.
struct BlockPredictor {
  unsigned order = 0, shift = 0;
  const Byte* side = nullptr;
};

/// Terms for which a kernel of its own has few registers, so that all warps of a GiB are there at once.
inline constexpr unsigned kFewTerms = 8;
/// Which predictors a kernel takes: of a warp that walks tiles the one with the most terms decides.
enum class TermCount : std::uint8_t { few, many };

/// By a whole warp. The predictor with the most terms says how many all threads look at.
template <unsigned Width, TermCount Which>
__device__ void walk_by_tiles(PredictTiles<Width>& tiles, const WarpStrips& warp, const PredictPlace& place,
                              const BlockPredictor& own, Sign sign) {
  if (warp.has_strip() && warp.lane() == 0) tiles.place[warp.strip()] = place;
  std::uint32_t most = place.bytes, terms = own.order;
  for (unsigned bit = 16; bit > 0; bit /= 2) {
    most = max(most, __shfl_xor_sync(0xFFFFFFFF, most, bit));
    terms = max(terms, __shfl_xor_sync(0xFFFFFFFF, terms, bit));
  }
  const bool cuts = __any_sync(0xFFFFFFFF, place.bytes % 16 != 0);
  __syncwarp();  // publishes the places
  const TileCopy<Width> copy(tiles, warp, cuts);
  const auto walk = [&]<unsigned Most>() {
    walk_tiles(copy, warp, most, BlockWalk<Width, Most>(own.order, own.shift, sign, own.side));
  };
  if constexpr (Which == TermCount::few) {
    if (terms <= kFewTerms) walk.template operator()<kFewTerms>();
  } else {
    if (terms <= kFewTerms) return;
    if (terms <= 16) return walk.template operator()<16>();
    walk.template operator()<kMostCoefficients>();
  }
}

}  // namespace tdz::cuda
