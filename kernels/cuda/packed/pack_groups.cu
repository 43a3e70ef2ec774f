// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/packed/pack_groups.cuh"

namespace tdz::cuda {

int launch_pack_results(const PackBuffers& buffers, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (buffers.tables.chunk_count != 0) PackSequence(buffers, launcher).results();
  return launcher.result;
}

int launch_pack_frames(const PackBuffers& buffers, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (buffers.tables.chunk_count != 0) PackSequence(buffers, launcher).frames();
  return launcher.result;
}

}  // namespace tdz::cuda
