// SPDX-License-Identifier: Apache-2.0
// Starts devices while others already work: that takes a quarter of a second.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>

#include "codec/stream/pipeline.hpp"
#include "kernels/cuda/host/device_queue.hpp"

namespace tdz {

/// Thread-safe.
class DeviceStart {
 public:
  using Make = std::function<Result<cuda::DeviceQueues>()>;

  /// Calls `make` in a thread of its own. Throws std::system_error if there is none.
  explicit DeviceStart(Make make)
      : ready_(std::async(std::launch::async, [this, makes = std::move(make)] { keep(makes()); })) {}

  /// A queue that nobody has. Null if the devices are not ready yet. Errors: those of `make`.
  Result<std::unique_ptr<cuda::DeviceQueue>> take();
  /// Waits for the devices; take() does not wait meanwhile. Errors: those of `make`.
  Status wait();
  /// After a good wait().
  /// For `decode`: "NVIDIA H200 decodes 3 of 4 chunks", or "2 GPUs decode 3 of 4 chunks".
  std::string note(const std::string& verb, std::uint64_t done, std::uint64_t chunks) const;

 private:
  void keep(Result<cuda::DeviceQueues> made);

  std::mutex mutex_;
  cuda::DeviceQueues found_;
  Status status_ = ok();
  std::shared_future<void> ready_;  // the last one: its thread uses all others
};

/// The Error limit for a std::system_error.
Error no_thread();

/// As guarded(), for calls that may use devices. Only the way to a device throws std::system_error, before
/// anything is written.
template <class Call>
auto guarded_with_devices(const Call& call) -> decltype(call()) {
  try {
    return guarded(call);
  } catch (const std::system_error&) {
    return no_thread();
  }
}

}  // namespace tdz
