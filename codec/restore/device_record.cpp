// SPDX-License-Identifier: Apache-2.0
#include "codec/restore/device_record.hpp"

#include <string>

namespace tdz {

bool DeviceRecord::trusted(int device) const {
  const std::lock_guard lock(mutex_);
  return !lost_.contains(device);
}

void DeviceRecord::failed(int device, const Error& error) {
  take_note(device, error.kind != ErrorKind::limit, error.message);
}

void DeviceRecord::was_wrong(int device) {
  take_note(device, true, "it restored a chunk that does not match its digest");
}

void DeviceRecord::take_note(int device, bool lost, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  if (lost) lost_.insert(device);
  const WarningCallback warn = std::exchange(warn_, nullptr);
  if (warn) warn("device " + std::to_string(device) + " failed, so the CPU continues: " + std::string(reason));
}

}  // namespace tdz
