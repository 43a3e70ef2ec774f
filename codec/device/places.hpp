// SPDX-License-Identifier: Apache-2.0
// Gives out places in memory that host and device share, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz {

constexpr std::uint64_t rounded(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

class Places {
 public:
  static constexpr std::uint64_t kAlignment = 256;
  static constexpr std::uint64_t kSlack = 256;  ///< around bytes that a device reads by whole lines

  explicit Places(std::uint64_t begin = 0) : end_(begin) {}

  std::uint64_t take(std::uint64_t bytes, std::uint64_t alignment = kAlignment) {
    const std::uint64_t at = rounded(end_, alignment);
    end_ = at + bytes;
    return at;
  }
  std::uint64_t take_with_slack(std::uint64_t bytes) {
    const std::uint64_t at = take(kSlack + bytes + kSlack);
    return at + kSlack;
  }
  template <class T>
  std::uint64_t take_table(std::size_t count) {
    return take(count * sizeof(T));
  }
  std::uint64_t end() const { return rounded(end_, kAlignment); }

 private:
  std::uint64_t end_;
};

}  // namespace tdz
