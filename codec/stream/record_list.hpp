// SPDX-License-Identifier: Apache-2.0
// Records in memory, one after another: read by one thread, so that several can judge them. Thread-safe where
// nothing is added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tdz {

class RecordList {
 public:
  std::size_t size() const { return ends_.size(); }
  std::size_t bytes() const { return ends_.empty() ? 0 : ends_.back(); }
  std::span<const std::byte> operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(bytes_).subspan(begin, ends_[i] - begin);
  }

  /// Room for the record after those that were kept. What an earlier call gave becomes invalid; its bytes are
  /// also the first ones here. Throws std::bad_alloc.
  std::span<std::byte> next(std::size_t bytes) {
    bytes_.resize(this->bytes() + bytes);
    return std::span(bytes_).subspan(this->bytes());
  }
  /// Keeps what next() gave last.
  void keep() { ends_.push_back(bytes_.size()); }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace tdz
