// SPDX-License-Identifier: Apache-2.0
// Brings together the words of a tuple whose lanes lie one behind the other (uniform::planar_lane_bytes). A
// thread block takes a piece of every lane, through shared memory. So reads and writes are of whole lines,
// however many lanes there are.
#pragma once

#include "kernels/cuda/frames/warp_team.cuh"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::cuda {

inline constexpr unsigned kGatherThreads = 256;

/// The piece of a lane that a thread block takes.
struct GatherTile {
  std::uint32_t piece;  ///< bytes: a power of two, at least 64

  constexpr explicit GatherTile(std::uint32_t tuple) : piece(1024) {
    while (piece > 64 && piece * tuple > 16384) piece /= 2;
  }
  /// In shared memory. Lanes begin in different banks.
  TDZ_HOST_DEVICE constexpr std::uint32_t pitch() const { return piece + 4; }
  constexpr std::uint32_t bytes(std::uint32_t tuple) const { return pitch() * tuple; }
  /// For each chunk.
  constexpr std::uint32_t tiles(std::uint32_t most_words, std::uint32_t tuple, std::uint32_t width) const {
    const std::uint32_t rows = piece / width;
    return (most_words / tuple + rows) / rows;
  }
};

template <unsigned Width>
__device__ void load_pieces(const StepChunk& chunk, std::uint32_t tuple, const GatherTile& tile,
                            std::uint32_t first_byte, Byte* memory) {
  const auto lane_bytes = static_cast<std::uint32_t>(uniform::planar_lane_bytes(chunk.words, tuple, Width));
  const std::uint32_t granules = tile.piece / 16, lanes = LaneShape{chunk.words, tuple}.lanes();
  for (std::uint32_t n = threadIdx.x; n < granules * lanes; n += kGatherThreads) {
    const std::uint32_t lane = n / granules, byte = n % granules * 16;  // granules are a power of two
    if (first_byte + byte >= lane_bytes) continue;
    const std::byte* from = chunk.in + std::uint64_t{lane} * lane_bytes + first_byte + byte;
    const uint4 words = *reinterpret_cast<const uint4*>(from);
    auto* to = reinterpret_cast<std::uint32_t*>(memory + lane * tile.pitch() + byte);
    to[0] = words.x, to[1] = words.y, to[2] = words.z, to[3] = words.w;
  }
}

/// The place of a word of the tile, row by row.
struct PieceWalk {
  std::uint32_t row, lane;

  __device__ void next(std::uint32_t tuple) {
    const bool wraps = ++lane == tuple;
    lane = wraps ? 0 : lane;
    row += wraps ? 1 : 0;
  }
};

/// The words of a tile, in the order in which they leave.
template <unsigned Width>
struct PieceWords {
  const Byte* memory;
  std::uint32_t tuple, pitch;
  Divisor lanes;

  __device__ PieceWords(const Byte* tile, std::uint32_t of_tuple, std::uint32_t lane_pitch)
      : memory(tile), tuple(of_tuple), pitch(lane_pitch), lanes(of_tuple) {}

  __device__ PieceWalk walk(std::uint32_t n) const {
    const std::uint32_t row = lanes.quotient(n);
    return {row, n - row * tuple};
  }
  __device__ std::uint32_t word(const PieceWalk& at) const {
    return static_cast<std::uint32_t>(read_word<Width>(memory + at.lane * pitch + at.row * Width, true));
  }
  /// As many words as 4 bytes hold.
  __device__ std::uint32_t together(std::uint32_t n) const {
    PieceWalk at = walk(n);
    std::uint32_t all = word(at);
#pragma unroll
    for (std::uint32_t j = 1; j < 4 / Width; ++j) {
      at.next(tuple);
      all |= word(at) << (8 * Width * j);
    }
    return all;
  }
};

/// Four bytes at once; one word where memory allows no more.
template <unsigned Width>
__device__ void store_rows(const StepBatch& batch, const StepChunk& chunk, std::uint32_t tuple,
                           const GatherTile& tile, std::uint32_t first_row, const Byte* memory) {
  constexpr std::uint32_t kTogether = 4 / Width;
  const PieceWords<Width> from(memory, tuple, tile.pitch());
  const Rows rows(batch.out, Width);
  auto* out = reinterpret_cast<Byte*>(chunk.out);
  const auto address = reinterpret_cast<std::uintptr_t>(out);
  const std::uint32_t first = first_row * tuple, left = chunk.words - first;
  const std::uint32_t all = tile.piece / Width * tuple, words = left < all ? left : all;
  std::uint32_t done = 0;
  if (rows.dense() && address % 4 == 0) {
    done = words / kTogether * kTogether;
    auto* to = reinterpret_cast<std::uint32_t*>(out + std::uint64_t{first} * Width);
#pragma unroll 2
    for (std::uint32_t n = threadIdx.x; n < done / kTogether; n += kGatherThreads)
      to[n] = from.together(n * kTogether);
  }
  const bool aligned = rows.keeps_alignment() && address % Width == 0;
  for (std::uint32_t n = done + threadIdx.x; n < words; n += kGatherThreads)
    write_word<Width>(out + rows.place(first + n), from.word(from.walk(n)), aligned);
}

template <unsigned Width>
__global__ void __launch_bounds__(kGatherThreads)
    gather_lanes(GatherBatch batch, GatherTile tile, std::uint32_t tiles) {
  auto* memory = reinterpret_cast<Byte*>(launched_shared());
  const StepChunk chunk = batch.steps.chunks[blockIdx.x / tiles];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (status != 0) return;  // no thread of this launch makes it so but for a whole chunk
  if (chunk.words > batch.steps.most_words) {
    status = static_cast<std::uint32_t>(StepStatus::too_long);
    return;
  }
  const std::uint32_t first_row = blockIdx.x % tiles * (tile.piece / Width);
  if (first_row >= LaneShape{chunk.words, batch.tuple}.longest()) return;
  load_pieces<Width>(chunk, batch.tuple, tile, first_row * Width, memory);
  __syncthreads();  // publishes the pieces
  store_rows<Width>(batch.steps, chunk, batch.tuple, tile, first_row, memory);
}

}  // namespace tdz::cuda
