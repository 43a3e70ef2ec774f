// SPDX-License-Identifier: Apache-2.0
// Blocks of prediction whose words lie side by side, 32 of them by a warp. Each thread walks one block. The
// words come and go through shared memory, a tile of 128 bytes of every block: so the warp reads and writes
// whole lines, although its threads are kPredictRows words apart.
#pragma once

#include "kernels/cuda/steps/prediction.hpp"

namespace tdz::cuda {

inline constexpr std::uint32_t kPredictLines = 8;  ///< of 16 bytes, of a tile

/// A block. Addresses are multiples of 16.
struct PredictPlace {
  const Byte* in;  // no initial values: a table of them lies in shared memory
  Byte* out;
  std::uint32_t bytes;  ///< 0: the thread has none
};

/// A warp's shared memory.
struct PredictTiles {
  PredictPlace place[32];
  uint4 line[32][kPredictLines + 1];  ///< one more, so that threads do not meet in a bank
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

/// By a whole warp, whose places are in the tiles. `most`: at least the bytes of each of them.
template <unsigned Width, unsigned Terms>
__device__ void walk_tiles(PredictTiles& tiles, std::uint32_t most, BlockWalk<Width, Terms> walk) {
  const unsigned thread = threadIdx.x % 32;
  constexpr unsigned kTogether = 32 / kPredictLines;  // blocks that one access of the warp reaches
  const unsigned part = thread % kPredictLines;
  for (std::uint32_t first = 0; first < most; first += 16 * kPredictLines) {
#pragma unroll
    for (unsigned row = thread / kPredictLines; row < 32; row += kTogether)
      tiles.line[row][part] = load_predict_line(tiles.place[row], first + 16 * part);
    __syncwarp();  // publishes the tile
#pragma unroll 1
    for (unsigned l = 0; l < kPredictLines; ++l) {
      const std::uint32_t begin = (first + 16 * l) / Width;
      uint4& line = tiles.line[thread][l];
      if (begin < Terms) {
        line = each_word<Width>(
            line, [&](unsigned j, std::uint64_t residual) { return walk.step(begin + j, residual); });
      } else {
        line = each_word<Width>(line,
                                [&](unsigned, std::uint64_t residual) { return walk.step_behind(residual); });
      }
    }
    __syncwarp();  // publishes the words
#pragma unroll
    for (unsigned row = thread / kPredictLines; row < 32; row += kTogether)
      store_predict_line(tiles.place[row], first + 16 * part, tiles.line[row][part]);
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
__device__ void walk_by_tiles(PredictTiles& tiles, const PredictPlace& place, const BlockPredictor& own,
                              Sign sign) {
  tiles.place[threadIdx.x % 32] = place;
  std::uint32_t most = place.bytes, terms = own.order;
  for (unsigned bit = 16; bit > 0; bit /= 2) {
    most = max(most, __shfl_xor_sync(0xFFFFFFFF, most, bit));
    terms = max(terms, __shfl_xor_sync(0xFFFFFFFF, terms, bit));
  }
  __syncwarp();  // publishes the places
  if (terms <= 8) return walk_tiles(tiles, most, BlockWalk<Width, 8>(own.order, own.shift, sign, own.side));
  if (terms <= 16) return walk_tiles(tiles, most, BlockWalk<Width, 16>(own.order, own.shift, sign, own.side));
  walk_tiles(tiles, most, BlockWalk<Width, kMostCoefficients>(own.order, own.shift, sign, own.side));
}

}  // namespace tdz::cuda
