// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace tdz::uniform {

/// Takes elements from the front of a span. `bad` once there were too few.
template <class T>
class Front {
 public:
  explicit Front(std::span<T> all) : rest_(all) {}

  std::span<T> take(std::size_t count) {
    bad_ = bad_ || count > rest_.size();
    const auto taken = rest_.first(bad_ ? 0 : count);
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  /// One element, or nothing.
  T* next() {
    const auto taken = take(1);
    return taken.empty() ? nullptr : taken.data();
  }
  bool bad() const { return bad_; }
  bool used_all() const { return !bad_ && rest_.empty(); }

 private:
  std::span<T> rest_;
  bool bad_ = false;
};

}  // namespace tdz::uniform
