// SPDX-License-Identifier: Apache-2.0
// Decides when a chunk of a slow input is written before it is full.
#pragma once

#include <chrono>
#include <optional>

#include "tdz/tdz.hpp"

namespace tdz {

/// Measures the time since the first byte that waits; later bytes do not restart it. Without `after` it is
/// never due. Not thread-safe.
class FlushClock {
 public:
  explicit FlushClock(std::optional<std::chrono::milliseconds> after = {}) : after_(after) {}

  /// Bytes wait now. Starts the clock if it does not run.
  void bytes_wait() {
    if (after_ && !due_) due_ = Clock::now() + *after_;
  }
  /// No byte waits now. Stops the clock.
  void restart() { due_.reset(); }

  /// Waits until `source` has more bytes (false) or until the flush is due (true). Returns true at once if it
  /// is due already.
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
