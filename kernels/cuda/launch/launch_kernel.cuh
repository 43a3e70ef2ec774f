// SPDX-License-Identifier: Apache-2.0
// A launch that returns its own status. cudaGetLastError() after a launch may return an older error.
#pragma once

#include <cuda_runtime.h>

namespace tdz::cuda {

template <class... Parameters, class... Arguments>
cudaError_t launch_kernel(void (*kernel)(Parameters...), dim3 grid, unsigned threads, unsigned shared_bytes,
                          cudaStream_t stream, const Arguments&... arguments) {
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = dim3(threads);
  launch.dynamicSmemBytes = shared_bytes;
  launch.stream = stream;
  return cudaLaunchKernelEx(&launch, kernel, arguments...);
}

}  // namespace tdz::cuda
