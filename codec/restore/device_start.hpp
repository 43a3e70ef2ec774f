// SPDX-License-Identifier: Apache-2.0
// Starts a device while others already work: that takes a quarter of a second.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/cuda/host/device_queue.hpp"

namespace tdz {

/// Thread-safe.
class DeviceStart {
 public:
  using Make = std::function<Result<cuda::DeviceQueues>()>;

  /// Calls `make` in a thread of its own. Throws std::system_error if there is none.
  explicit DeviceStart(const Make& make) : coming_(std::async(std::launch::async, make)) {}

  /// A queue that nobody has. Null if the device is not ready yet. Errors: those of `make`.
  Result<std::unique_ptr<cuda::DeviceQueue>> take();
  /// Waits for the device. Errors: those of `make`.
  Status wait();
  /// After a good wait().
  const DeviceInfo& device() const { return found_.device; }

 private:
  void settle();

  std::mutex mutex_;
  std::future<Result<cuda::DeviceQueues>> coming_;
  cuda::DeviceQueues found_;
  Status status_ = ok();
};

}  // namespace tdz
