// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/host/cuda_handles.hpp"

namespace tdz::cuda {

/// The current device must be one that this build has code for.
inline Status check_device() {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    return unsupported("there is no CUDA driver, or it is too old");
  }
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    static_cast<void>(cudaGetLastError());
    return unsupported("no CUDA device");
  }
  return checked(counted, "cudaGetDeviceCount");
}

}  // namespace tdz::cuda
