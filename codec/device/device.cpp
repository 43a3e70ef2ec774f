// SPDX-License-Identifier: Apache-2.0
#include "tdz/device.hpp"

#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/device_transform.hpp"

namespace tdz {

Result<std::vector<DeviceInfo>> devices() {
  return cuda_devices();
}

Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers) {
  return cuda::device_space_bytes(column, buffers);
}

Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_forward(column, buffers, space, space_bytes, stream);
}

Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_inverse(column, buffers, space, space_bytes, stream);
}

}  // namespace tdz
