// SPDX-License-Identifier: Apache-2.0
// Starts devices while others already work: that takes a quarter of a second.
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

  /// A queue that nobody has. Null if the devices are not ready yet. Errors: those of `make`.
  Result<std::unique_ptr<cuda::DeviceQueue>> take();
  /// Waits for the devices. Errors: those of `make`.
  Status wait();
  /// After a good wait().
  /// For `decode`: "NVIDIA H200 decodes 3 of 4 chunks", or "2 GPUs decode 3 of 4 chunks".
  std::string note(const std::string& verb, std::uint64_t done, std::uint64_t chunks) const;

 private:
  void settle();

  std::mutex mutex_;
  std::future<Result<cuda::DeviceQueues>> coming_;
  cuda::DeviceQueues found_;
  Status status_ = ok();
};

}  // namespace tdz
