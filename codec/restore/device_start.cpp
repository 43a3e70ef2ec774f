// SPDX-License-Identifier: Apache-2.0
#include "codec/restore/device_start.hpp"

#include <utility>

namespace tdz {

Result<std::unique_ptr<cuda::DeviceQueue>> DeviceStart::take() {
  const std::lock_guard lock(mutex_);
  if (!status_) return status_.error();
  if (found_.queues.empty()) return std::unique_ptr<cuda::DeviceQueue>();
  auto queue = std::move(found_.queues.back());
  found_.queues.pop_back();
  return queue;
}

Status DeviceStart::wait() {
  ready_.get();
  const std::lock_guard lock(mutex_);
  return status_;
}

std::string DeviceStart::note(const std::string& verb, std::uint64_t done, std::uint64_t chunks) const {
  const auto& devices = found_.devices;
  const std::string who = devices.size() == 1 ? devices[0].name + " " + verb + "s "
                                              : std::to_string(devices.size()) + " GPUs " + verb + " ";
  return who + std::to_string(done) + " of " + std::to_string(chunks) + " chunks";
}

void DeviceStart::keep(Result<cuda::DeviceQueues> made) {
  const std::lock_guard lock(mutex_);
  if (made)
    found_ = *std::move(made);
  else
    status_ = made.error();
}

Error no_thread() {
  return {ErrorKind::limit, "the system starts no further thread, but a GPU needs one; use the CPU instead"};
}

}  // namespace tdz
