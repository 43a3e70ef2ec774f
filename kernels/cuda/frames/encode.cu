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

int launch_encode_results(const EncodeJob& job, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (job.tables.chunk_count != 0) EncodeSequence(job, launcher).results();
  return launcher.result;
}

int launch_encode_frames(const EncodeJob& job, void* stream) {
  Launcher launcher{static_cast<cudaStream_t>(stream)};
  if (job.tables.chunk_count != 0) EncodeSequence(job, launcher).frames();
  return launcher.result;
}

}  // namespace tdz::cuda::frames
