// SPDX-License-Identifier: Apache-2.0
// Steps that look at one word alone. A thread takes four words side by side.
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/undo_steps.hpp"
#include "kernels/cuda/steps/word_maps.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::uint32_t kQuads = 4;  ///< for each thread
constexpr std::uint32_t kTile = 4 * kQuads * kThreads;

std::uint32_t tiles_of(std::uint32_t words) {
  return words == 0 ? 1 : (words + kTile - 1) / kTile;
}

template <unsigned Width>
__global__ void __launch_bounds__(kThreads) map_words(StepBatch batch, WordMap map, std::uint32_t tiles) {
  const StepChunk chunk = batch.chunks[blockIdx.x / tiles];
  if (batch.status[chunk.status_index] != 0) return;
  if (chunk.words > batch.most_words) {
    batch.status[chunk.status_index] = static_cast<std::uint32_t>(StepStatus::too_long);
    return;
  }
  const ChunkWords<Width> words(batch, chunk);
  const std::uint32_t first = blockIdx.x % tiles * kTile + 4 * threadIdx.x;
  std::uint64_t word[kQuads][4];
#pragma unroll
  for (unsigned k = 0; k < kQuads; ++k) words.load_quad(first + 4 * kThreads * k, word[k]);
#pragma unroll
  for (unsigned k = 0; k < kQuads; ++k) {
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) word[k][j] = mapped<Width>(map, word[k][j]);
    words.store_quad(first + 4 * kThreads * k, word[k]);
  }
}

}  // namespace

cudaError_t launch_map_words(const StepBatch& batch, WordMap map, cudaStream_t stream) {
  if (batch.count == 0) return cudaSuccess;
  const std::uint32_t tiles = tiles_of(batch.most_words);
  if (!is_launchable(batch, tiles)) return cudaErrorInvalidValue;
  return with_width(batch.width, [&]<unsigned Width>() {
    return launch_kernel(map_words<Width>, dim3(batch.count * tiles), kThreads, 0, stream, batch, map, tiles);
  });
}

}  // namespace tdz::cuda
