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

__device__ inline uint4 load_predict_line(const PredictPlace& place, std::uint32_t at) {
  if (at + 16 <= place.bytes) return *reinterpret_cast<const uint4*>(place.in + at);
  unsigned word[4] = {};
#pragma unroll
  for (unsigned b = 0; b < 16; ++b)
    if (at + b < place.bytes) word[b / 4] |= unsigned{place.in[at + b]} << (8 * (b % 4));
  return make_uint4(word[0], word[1], word[2], word[3]);
}

__device__ inline void store_predict_line(const PredictPlace& place, std::uint32_t at, const uint4& line) {
  if (at + 16 <= place.bytes) {
    *reinterpret_cast<uint4*>(place.out + at) = line;
    return;
  }
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

/// By a whole warp, whose places are in the tiles. `most`: at least the bytes of each of them.
template <unsigned Width, unsigned Terms>
__device__ void walk_tiles(PredictTiles<Width>& tiles, const WarpStrips& warp, std::uint32_t most,
                           BlockWalk<Width, Terms> walk) {
  const std::uint32_t lines = kTileLines<Width> * warp.tuple, all = warp.strips() * lines;
  const std::uint32_t apart = lines | 1;
  const auto each_line = [&](const auto& move) {
    for (std::uint32_t l = threadIdx.x % 32; l < all; l += 32) {
      const std::uint32_t strip = l / lines, part = l % lines;
      move(tiles.place[strip], 16 * part, tiles.line[strip * apart + part]);
    }
  };
  std::uint32_t row = 0;
  for (std::uint32_t first = 0; first < most; first += 16 * lines, row += kTileRows<Width>) {
    each_line([&](const PredictPlace& place, std::uint32_t at, uint4& line) {
      line = load_predict_line(place, first + at);
    });
    __syncwarp();  // publishes the tile
    if (warp.has_strip()) walk_tile(tiles.line + warp.strip() * apart, warp, row, walk);
    __syncwarp();  // publishes the words
    each_line([&](const PredictPlace& place, std::uint32_t at, uint4& line) {
      store_predict_line(place, first + at, line);
    });
    __syncwarp();  // frees the tile
  }
}

/// What a thread knows of its block's predictor. `side`: its coefficients.
struct BlockPredictor {
  unsigned order = 0, shift = 0;
  const Byte* side = nullptr;
};

/// By a whole warp. The predictor with the most terms says how many all threads look at.
template <unsigned Width>
__device__ void walk_by_tiles(PredictTiles<Width>& tiles, const WarpStrips& warp, const PredictPlace& place,
                              const BlockPredictor& own, Sign sign) {
  if (warp.has_strip() && warp.lane() == 0) tiles.place[warp.strip()] = place;
  std::uint32_t most = place.bytes, terms = own.order;
  for (unsigned bit = 16; bit > 0; bit /= 2) {
    most = max(most, __shfl_xor_sync(0xFFFFFFFF, most, bit));
    terms = max(terms, __shfl_xor_sync(0xFFFFFFFF, terms, bit));
  }
  __syncwarp();  // publishes the places
  const auto walk = [&]<unsigned Terms>() {
    walk_tiles(tiles, warp, most, BlockWalk<Width, Terms>(own.order, own.shift, sign, own.side));
  };
  if (terms <= 8) return walk.template operator()<8>();
  if (terms <= 16) return walk.template operator()<16>();
  walk.template operator()<kMostCoefficients>();
}

}  // namespace tdz::cuda
