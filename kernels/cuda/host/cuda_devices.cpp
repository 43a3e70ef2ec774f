// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/cuda_devices.hpp"

#include <optional>

#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/launch/launch.hpp"

namespace tdz {
namespace {

using namespace tdz::cuda;

Result<DeviceInfo> device_at(int number) {
  cudaDeviceProp properties{};
  const Status asked = checked(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  if (!asked) return asked.error();
  return DeviceInfo{number, properties.name, properties.major, properties.minor, properties.totalGlobalMem};
}

/// Makes the device current, and asks what only a device that answers can say.
Status ask(DeviceInfo& device) {
  std::size_t free = 0, total = 0;
  Status asked = checked(cudaSetDevice(device.number), "cudaSetDevice");
  if (asked) asked = checked(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (!asked) return asked;
  device.free_memory = free;
  device.memory = total;
  const cudaError_t found = find_code();
  device.supported = found == cudaSuccess;
  asked = checked(found, "cudaFuncGetAttributes");
  const bool without = found == cudaErrorNoKernelImageForDevice || found == cudaErrorInvalidDeviceFunction;
  return without ? ok() : asked;
}

/// A driver that fails is none.
Result<int> usable_devices() {
  auto count = count_devices();
  if (!count) return unsupported(count.error().message);
  return count;
}

Error no_code(const DeviceInfo& device) {
  return unsupported("this build has no code for " + description(device));
}

/// A device that does not answer, for example because another process holds it alone, stays in the list: with
/// no free memory, and as not supported.
Result<std::vector<DeviceInfo>> all_devices() {
  const auto count = usable_devices();
  if (!count) return count.error();
  std::vector<DeviceInfo> devices;
  for (int number = 0; number < *count; ++number) {
    auto device = device_at(number);
    if (!device) return device.error();
    static_cast<void>(ask(*device));
    devices.push_back(std::move(*device));
  }
  return devices;
}

}  // namespace

Result<DeviceInfo> use_cuda_device(int number) {
  const auto count = usable_devices();
  if (!count) return count.error();
  if (number < 0 || number >= *count) {
    return unsupported("there is no CUDA device " + std::to_string(number));
  }
  auto device = device_at(number);
  if (!device) return device;
  const Status asked = ask(*device);
  if (!asked) return asked.error();
  if (!device->supported) return no_code(*device);
  return device;
}

Result<std::vector<DeviceInfo>> start_cuda_devices(const std::vector<int>& numbers) {
  std::vector<int> wanted = numbers;
  if (wanted.empty()) {
    const auto count = usable_devices();
    if (!count) return count.error();
    for (int number = 0; number < *count; ++number) wanted.push_back(number);
  }
  // Deferred where the system gives no more threads.
  constexpr auto kThreads = std::launch::async | std::launch::deferred;
  std::vector<std::future<Result<DeviceInfo>>> starts;
  for (const int number : wanted) starts.push_back(std::async(kThreads, use_cuda_device, number));
  std::vector<DeviceInfo> devices;
  std::optional<Error> failure;
  for (auto& start : starts) {
    auto device = start.get();
    if (device)
      devices.push_back(*std::move(device));
    else if (!failure)
      failure = std::move(device).error();
  }
  if (failure && (!numbers.empty() || devices.empty())) return *failure;
  return devices;
}

Result<std::vector<DeviceInfo>> cuda_devices() {
  return in_own_thread(all_devices);
}

}  // namespace tdz
