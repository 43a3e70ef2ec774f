// SPDX-License-Identifier: Apache-2.0
// Whether a device can run this build's kernels.
#pragma once

#include <cuda_runtime_api.h>

namespace tdz::cuda {

/// Success if this build has code for the current device; cudaErrorNoKernelImageForDevice or
/// cudaErrorInvalidDeviceFunction if not; or the error of a device that does not answer. All kernels are
/// compiled for the same architectures, so one of them decides.
cudaError_t find_code();

}  // namespace tdz::cuda
