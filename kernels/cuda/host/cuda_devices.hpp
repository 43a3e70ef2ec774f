// SPDX-License-Identifier: Apache-2.0
// Which CUDA devices this machine has, and whether this build can use them. Needs no CUDA header.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "formats/error.hpp"
#include "kernels/device.hpp"

namespace tdz {

/// The error unsupported says why there is no device: no libtdz_cuda.so, no driver, or no GPU.
Result<std::vector<DeviceInfo>> cuda_devices();
/// Makes the device the current one of this thread. Errors: unsupported (there is no such device, or this
/// build has no code for it), io.
Result<DeviceInfo> use_cuda_device(int number);
/// Starts several devices at the same time: these, or if none is named, all that answer and that this build
/// has code for. The same errors.
Result<std::vector<DeviceInfo>> start_cuda_devices(const std::vector<int>& numbers);
/// "NVIDIA H200, compute capability 9.0".
inline std::string description(const DeviceInfo& device) {
  return device.name + ", compute capability " + std::to_string(device.major) + "." +
         std::to_string(device.minor);
}

/// The current device belongs to a thread, so a thread of its own leaves the caller's as it is. To set it
/// back instead would make a context on a device that the caller may never use.
template <class Work>
auto in_own_thread(const Work& work) {
  return std::async(std::launch::async, work).get();
}

// ---- For callers who ask for the backend `cuda`: nothing replaces it, so the error says what is missing

/// The error of a device that cannot be used: unsupported or limit, with the reason.
inline Error not_available(const Error& error) {
  const bool short_of_memory = error.kind == ErrorKind::limit;
  return {short_of_memory ? ErrorKind::limit : ErrorKind::unsupported,
          "the cuda backend is not available: " + error.message};
}

/// Whether the devices can be used. The same errors.
inline Status check_device(const DeviceOptions& device) {
  const auto found = in_own_thread([&] { return start_cuda_devices(device.numbers); });
  return found ? ok() : Status(not_available(found.error()));
}

}  // namespace tdz
