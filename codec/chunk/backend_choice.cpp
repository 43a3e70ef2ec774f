// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/backend_choice.hpp"

#include <utility>

#include "kernels/cuda/host/cuda_backend.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {
namespace {

std::shared_ptr<Backend> cpu() {
  return {std::shared_ptr<Backend>(), &cpu_backend()};  // owns nothing: the CPU backend is never destroyed
}

}  // namespace

Error not_available(const Error& error) {
  const bool short_of_memory = error.kind == ErrorKind::limit;
  return {short_of_memory ? ErrorKind::limit : ErrorKind::unsupported,
          "the cuda backend is not available: " + error.message};
}

Result<std::shared_ptr<Backend>> bare_backend(BackendChoice choice, const DeviceOptions& device) {
  if (choice != BackendChoice::cuda) return cpu();
  auto made = make_cuda_backend(device);
  if (!made) return not_available(made.error());
  return std::shared_ptr<Backend>(*std::move(made));
}

Status check_device(const DeviceOptions& device) {
  const auto found = in_own_thread([&] { return start_cuda_devices(device.numbers); });
  return found ? ok() : Status(not_available(found.error()));
}

}  // namespace tdz
