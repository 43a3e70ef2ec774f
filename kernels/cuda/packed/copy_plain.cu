// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/copy_plain.cuh"

#include <algorithm>

#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

cudaError_t launch_copy_plain(const PlainBatch& batch, cudaStream_t stream) {
  if (batch.longest == 0) return cudaSuccess;
  const std::uint32_t blocks = plain_blocks(batch.longest), most = 0x7FFFFFFFu / blocks;  // of a launch
  for (PlainBatch part = batch; part.count > 0;) {
    const std::uint32_t left = part.count - std::min(part.count, most);
    part.count -= left;
    const cudaError_t launched =
        launch_kernel(copy_plain, dim3(part.count * blocks), 32 * kPlainWarps, 0, stream, part, blocks);
    if (launched != cudaSuccess) return launched;
    part.chunks += part.count, part.count = left;
  }
  return cudaSuccess;
}

}  // namespace tdz::cuda
