// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/steps/gather_lanes.cuh"

#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/undo_steps.hpp"

namespace tdz::cuda {
namespace {

template <unsigned Width>
cudaError_t launch_width(const GatherBatch& batch, const GatherTile& tile, cudaStream_t stream) {
  const std::uint32_t tiles = tile.tiles(batch.steps.most_words, batch.tuple, Width);
  if (!is_launchable(batch.steps, tiles)) return cudaErrorInvalidValue;
  return launch_kernel(gather_lanes<Width>, dim3(batch.steps.count * tiles), kGatherThreads,
                       tile.bytes(batch.tuple), stream, batch, tile, tiles);
}

}  // namespace

cudaError_t launch_gather_lanes(const GatherBatch& batch, cudaStream_t stream) {
  if (batch.steps.count == 0 || batch.steps.most_words == 0) return cudaSuccess;
  if (batch.tuple == 0 || batch.tuple > 256) return cudaErrorInvalidValue;
  const GatherTile tile(batch.tuple);
  if (batch.steps.width == 1) return launch_width<1>(batch, tile, stream);
  if (batch.steps.width == 2) return launch_width<2>(batch, tile, stream);
  if (batch.steps.width == 4) return launch_width<4>(batch, tile, stream);
  return cudaErrorInvalidValue;
}

}  // namespace tdz::cuda
