// SPDX-License-Identifier: Apache-2.0
#include "tdz/device.hpp"

#include "kernels/cuda/host/cuda_backend.hpp"
#include "kernels/cuda/host/device_transform.hpp"

namespace tdz {
namespace {

cuda::DeviceBuffers inner(const DeviceBuffers& buffers) {
  return {buffers.in, buffers.out, buffers.bytes, buffers.chunk_bytes};
}

}  // namespace

Result<std::vector<DeviceInfo>> devices() {
  auto found = cuda_devices();
  if (!found) return found.error();
  std::vector<DeviceInfo> list;
  for (CudaDevice& each : *found) {
    list.push_back({each.number, std::move(each.name), each.major, each.minor, each.memory, each.free_memory,
                    each.supported});
  }
  return list;
}

Result<std::size_t> device_space_bytes(const Transform& transform, const DeviceBuffers& buffers) {
  return cuda::device_space_bytes(transform, inner(buffers));
}

Status device_forward(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_forward(transform, inner(buffers), space, space_bytes, stream);
}

Status device_inverse(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream) {
  return cuda::device_inverse(transform, inner(buffers), space, space_bytes, stream);
}

}  // namespace tdz
