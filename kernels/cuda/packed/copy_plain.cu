// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/packed/copy_plain.cuh"

#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/packed/copy_plain.hpp"

namespace tdz::cuda {

cudaError_t launch_copy_plain(const PlainBatch& batch, cudaStream_t stream) {
  if (batch.count == 0 || batch.longest == 0) return cudaSuccess;
  const std::uint32_t blocks = plain_blocks(batch.longest);
  if (batch.count > 0x7FFFFFFFu / blocks) return cudaErrorInvalidValue;
  return launch_kernel(copy_plain, dim3(batch.count * blocks), 32 * kPlainWarps, 0, stream, batch, blocks);
}

}  // namespace tdz::cuda
