// SPDX-License-Identifier: Apache-2.0
// Replaces the CUDA backend in a build without CUDA.
#include "kernels/cuda/host/cuda_backend.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/device_queue.hpp"
#include "kernels/cuda/host/device_transform.hpp"
#include "kernels/cuda/host/encode_queue.hpp"

namespace tdz {
namespace {

Error not_built() {
  return unsupported("this build has no CUDA backend; build with -DTDZ_CUDA=ON");
}

}  // namespace

Result<std::vector<DeviceInfo>> cuda_devices() {
  return not_built();
}
Result<DeviceInfo> use_cuda_device(int) {
  return not_built();
}
Result<std::vector<DeviceInfo>> start_cuda_devices(const std::vector<int>&) {
  return not_built();
}
Result<std::unique_ptr<Backend>> make_cuda_backend(const DeviceOptions&, unsigned) {
  return not_built();
}
BackendInfo cuda_backend_info() {
  return {"cuda", false, "this build has no CUDA backend"};
}

namespace cuda {

Result<std::unique_ptr<DeviceQueue>> make_cuda_queue() {
  return not_built();
}
Result<std::unique_ptr<EncodeQueue>> make_cuda_encode_queue() {
  return not_built();
}

Result<DeviceQueues> make_cuda_queues(const std::vector<int>&, std::size_t) {
  return not_built();
}

Result<std::size_t> device_space_bytes(const Transform&, const DeviceBuffers&) {
  return not_built();
}
Status device_forward(const Transform&, const DeviceBuffers&, void*, std::size_t, CUstream_st*) {
  return not_built();
}
Status device_inverse(const Transform&, const DeviceBuffers&, void*, std::size_t, CUstream_st*) {
  return not_built();
}

}  // namespace cuda
}  // namespace tdz
