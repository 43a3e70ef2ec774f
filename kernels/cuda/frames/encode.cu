// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "kernels/cuda/frames/encode_sequence.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda::frames {

int launch_encode_results(const EncodeBuffers& buffers, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (buffers.tables.chunk_count != 0) EncodeSequence(buffers, launcher).results();
  return launcher.result;
}

int launch_encode_frames(const EncodeBuffers& buffers, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (buffers.tables.chunk_count != 0) EncodeSequence(buffers, launcher).frames();
  return launcher.result;
}

}  // namespace tdz::cuda::frames
