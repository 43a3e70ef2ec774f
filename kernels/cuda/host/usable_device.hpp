// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/host/cuda_handles.hpp"

namespace tdz::cuda {

/// At least 1. The error unsupported says why there is no device.
inline Result<int> count_devices() {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver) {
    static_cast<void>(cudaGetLastError());
    return unsupported("there is no NVIDIA driver, or it is older than CUDA " +
                       std::to_string(CUDART_VERSION / 1000) + " needs; install one");
  }
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    static_cast<void>(cudaGetLastError());
    return unsupported("the NVIDIA driver finds no GPU");
  }
  const Status usable = checked(counted, "cudaGetDeviceCount");
  if (!usable) return usable.error();
  return count;
}

/// There must be a device.
inline Status check_device() {
  const auto count = count_devices();
  return count ? ok() : Status(count.error());
}

}  // namespace tdz::cuda
