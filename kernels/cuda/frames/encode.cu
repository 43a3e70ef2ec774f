// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "kernels/cuda/frames/encode_sequence.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda::frames {
namespace {

/// Remembers the first launch that failed, and starts nothing behind it.
struct Launcher {
  cudaStream_t stream;
  cudaError_t result = cudaSuccess;

  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned shared_bytes,
                  const Arguments&... arguments) {
    if (blocks == 0 || result != cudaSuccess) return;
    result = shared_bytes == 0 ? launch_kernel(kernel, dim3(blocks), threads, 0, stream, arguments...)
                               : launch_shared(kernel, blocks, threads, shared_bytes, stream, arguments...);
  }
};

}  // namespace

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
