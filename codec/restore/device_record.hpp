// SPDX-License-Identifier: Apache-2.0
// What became of the devices in a call.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "tdz/tdz.hpp"

namespace tdz {

/// What a call knows about its devices, by their numbers. Thread-safe.
class DeviceRecord {
 public:
  explicit DeviceRecord(WarningCallback warn) : warn_(std::move(warn)) {}

  /// Whether the device may be used for the next batch.
  bool trusted(int device) const;
  /// After Error limit (too little memory) the device may go on, after any other error it may not.
  void failed(int device, const Error& error);
  /// It restored other bytes than those that belong to a digest.
  void was_wrong(int device);
  void add_chunks(std::uint64_t count) { chunks_ += count; }
  /// How many chunks the devices did.
  std::uint64_t chunks() const { return chunks_; }

 private:
  void take_note(int device, bool lost, std::string_view reason);

  std::atomic<std::uint64_t> chunks_ = 0;
  mutable std::mutex mutex_;
  std::set<int> lost_;
  WarningCallback warn_;
};

}  // namespace tdz
