// SPDX-License-Identifier: Apache-2.0
// When is a chunk of a slow input written although it is not full?
#pragma once

#include <chrono>
#include <optional>

#include "tdz/tdz.hpp"

namespace tdz {

/// Runs from the first byte that waits, whatever comes behind it. Without a time it is never due. Not thread-safe.
class FlushClock {
 public:
  explicit FlushClock(std::optional<std::chrono::milliseconds> after = {}) : after_(after) {}

  /// Bytes wait from now on, if none did before.
  void bytes_wait() {
    if (after_ && !due_) due_ = Clock::now() + *after_;
  }
  /// What waited is on its way.
  void restart() { due_.reset(); }

  /// Waits until `source` has more bytes (false), or it is time (true), which it may be at once.
  bool is_due(Source& source) const {
    if (!due_) return false;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due_ - Clock::now());
    return left.count() <= 0 || !source.ready_within(left);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<std::chrono::milliseconds> after_;
  std::optional<Clock::time_point> due_;
};

}  // namespace tdz
