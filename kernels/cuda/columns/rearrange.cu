// SPDX-License-Identifier: Apache-2.0
// The steps that only move or recode bytes, one at a time, for step lists that do not fit the fused kernels.
// They are simple, not fast: every thread computes the place of its own word (for bit planes, of its own
// eight words).
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 1024;  ///< for a chunk; threads go on by strides

/// Where byte `byte` of word `index` lies in the layout.
__device__ std::uint64_t place(const PieceMap& map, std::uint64_t index, unsigned byte) {
  if (map.layout == Layout::interleaved) return index * map.word + byte;
  if (map.layout == Layout::planes) return map.piece(byte, 0, 1).begin + index;
  const auto lane = static_cast<std::uint32_t>(index % map.tuple);
  return map.plane_begin(lane, byte) + index / map.tuple;
}

template <class Word>
__device__ void move_word(const PieceMap& map, const ChunkTask& chunk, std::uint64_t index, MaybeZigzag code,
                          Direction direction) {
  Sum<Word> word = 0;
  if (direction == Direction::difference) {
    word = code.template out<Word>(reinterpret_cast<const Word*>(chunk.in)[index]);
    for (unsigned b = 0; b < sizeof(Word); ++b) {
      chunk.out[place(map, index, b)] = static_cast<std::byte>(word >> (8 * b));
    }
    return;
  }
  for (unsigned b = 0; b < sizeof(Word); ++b)
    word |= static_cast<Sum<Word>>(chunk.in[place(map, index, b)]) << (8 * b);
  reinterpret_cast<Word*>(chunk.out)[index] = static_cast<Word>(code.template in<Word>(word));
}

/// From one byte plane of eight words to its eight bit planes, and back.
template <class Word>
__device__ void move_bits(const ChunkTask& chunk, std::uint64_t plane_bytes, std::uint64_t eight,
                          MaybeZigzag code, Direction direction) {
  const auto* words = reinterpret_cast<const Word*>(chunk.in) + 8 * eight;
  Word word[8] = {};
  for (unsigned b = 0; b < sizeof(Word); ++b) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t byte =
          direction == Direction::difference
              ? std::uint64_t{code.template out<Word>(words[i])} >> (8 * b) & 0xFF
              : static_cast<std::uint64_t>(chunk.in[(8 * b + i) * plane_bytes + eight]);
      bits |= byte << (8 * i);
    }
    bits = transpose8x8(bits);
    for (unsigned i = 0; i < 8; ++i) {
      const auto byte = static_cast<std::uint8_t>(bits >> (8 * i));
      if (direction == Direction::difference) {
        chunk.out[(8 * b + i) * plane_bytes + eight] = std::byte{byte};
      } else {
        word[i] |= static_cast<Word>(Word{byte} << (8 * b));
      }
    }
  }
  if (direction == Direction::difference) return;
  for (unsigned i = 0; i < 8; ++i) {
    reinterpret_cast<Word*>(chunk.out)[8 * eight + i] = static_cast<Word>(code.template in<Word>(word[i]));
  }
}

template <class Word>
__global__ void __launch_bounds__(kThreads) rearrange(Pass pass, ChunkBatch batch, Direction direction) {
  const OpenChunk chunk(pass, batch[blockIdx.y]);
  const std::uint64_t n = chunk.values.words, thread = blockIdx.x * kThreads + threadIdx.x;
  const MaybeZigzag code{pass.zigzag ? 1u : 0u};
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  std::uint64_t by_word = 0;
  if (pass.layout == Layout::bit_planes) {
    for (std::uint64_t i = thread; i < n / 8; i += stride)
      move_bits<Word>(chunk.task, n / 8, i, code, direction);
    by_word = n / 8 * 8;  // the other words stay interleaved
  }
  const PieceMap& map = pass.layout == Layout::bit_planes ? chunk.values : chunk.residuals;
  for (std::uint64_t i = by_word + thread; i < n; i += stride)
    move_word<Word>(map, chunk.task, i, code, direction);
  if (blockIdx.x == 0) copy_trailing<Word>(chunk.task);
}

template <class Word>
__global__ void __launch_bounds__(kThreads) byteswap(ChunkBatch batch) {
  const ChunkTask chunk = batch[blockIdx.y];
  const std::uint64_t bytes = chunk.bytes / sizeof(Word) * sizeof(Word);
  for (std::uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < bytes;
       i += std::uint64_t{gridDim.x} * kThreads) {
    chunk.out[i] = chunk.in[i ^ (sizeof(Word) - 1)];
  }
  if (blockIdx.x == 0) copy_trailing<Word>(chunk);
}

/// Calls launch(grid, batch) for as many chunks at a time as a grid may have.
template <class Launch>
cudaError_t for_chunks(const ChunkBatch& batch, const Launch& launch) {
  constexpr std::uint32_t kMostAtOnce = 65535;
  const std::uint64_t wanted = (batch.chunk_bytes + kThreads - 1) / kThreads;
  const auto blocks =
      static_cast<std::uint32_t>(wanted < 1 ? 1 : smaller<std::uint64_t>(wanted, kMostBlocks));
  for (std::uint32_t first = 0; first < batch.chunks; first += kMostAtOnce) {
    const std::uint32_t chunks = smaller(batch.chunks - first, kMostAtOnce);
    const cudaError_t launched = launch(dim3(blocks, chunks), batch.from(first, chunks));
    if (launched != cudaSuccess) return launched;
  }
  return cudaSuccess;
}

cudaError_t launch_byteswap(unsigned word, const ChunkBatch& batch, cudaStream_t stream) {
  return with_word(word, [&]<class Word>() {
    return for_chunks(batch, [&](dim3 grid, const ChunkBatch& part) {
      return launch_kernel(byteswap<Word>, grid, kThreads, 0, stream, part);
    });
  });
}

}  // namespace

cudaError_t launch_rearrange(const Pass& pass, const ChunkBatch& batch, Direction direction,
                             cudaStream_t stream) {
  if (pass.byteswap) return launch_byteswap(pass.word, batch, stream);
  return with_word(pass.word, [&]<class Word>() {
    return for_chunks(batch, [&](dim3 grid, const ChunkBatch& part) {
      return launch_kernel(rearrange<Word>, grid, kThreads, 0, stream, pass, part, direction);
    });
  });
}

cudaError_t find_code() {
  cudaFuncAttributes unused{};
  return cudaFuncGetAttributes(&unused, byteswap<std::uint8_t>);
}

}  // namespace tdz::cuda
