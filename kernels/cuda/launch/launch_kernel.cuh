// SPDX-License-Identifier: Apache-2.0
// Launches that return their own status: cudaGetLastError() after a launch may return an older error. With
// dynamic shared memory too; more than 48 KiB of it must be allowed for each kernel.
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

/// Allows as much as the device has. The attribute belongs to the kernel, and several threads may launch the
/// kernel at the same time with different sizes.
inline cudaError_t allow_shared(const void* kernel) {
  int device = 0, most = 0;
  cudaFuncAttributes own{};
  cudaError_t result = cudaGetDevice(&device);
  if (result == cudaSuccess) {
    result = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  }
  if (result == cudaSuccess) result = cudaFuncGetAttributes(&own, kernel);
  if (result != cudaSuccess) return result;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              most - static_cast<int>(own.sharedSizeBytes));
}

template <class... Parameters, class... Arguments>
cudaError_t launch_shared(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                          unsigned shared_bytes, cudaStream_t stream, const Arguments&... arguments) {
  if (blocks == 0) return cudaSuccess;
  const cudaError_t allowed = allow_shared(reinterpret_cast<const void*>(kernel));
  if (allowed != cudaSuccess) return allowed;
  return launch_kernel(kernel, dim3(blocks), threads, shared_bytes, stream, arguments...);
}

/// Starts kernels one behind the other, of which some may have no blocks. Remembers the first launch that
/// failed, and starts nothing behind it.
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

/// How many blocks of this kernel the current device holds at once.
template <class... Parameters>
cudaError_t count_resident(void (*kernel)(Parameters...), unsigned threads, unsigned shared_bytes,
                           unsigned& resident) {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaError_t result = allow_shared(reinterpret_cast<const void*>(kernel));
  if (result == cudaSuccess) result = cudaGetDevice(&device);
  if (result == cudaSuccess) {
    result = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  }
  if (result == cudaSuccess) {
    result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                           shared_bytes);
  }
  resident = static_cast<unsigned>(multiprocessors * blocks);
  return result == cudaSuccess && resident == 0 ? cudaErrorLaunchOutOfResources : result;
}

}  // namespace tdz::cuda
