// SPDX-License-Identifier: Apache-2.0
// A sink over memory that exists already, so that the codec is timed and not the growth of a buffer.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "tdz/tdz.hpp"

namespace tdz::app::bench {

class FixedSink final : public Sink {
 public:
  explicit FixedSink(std::span<std::byte> memory) : memory_(memory) {}

  Status write(std::span<const std::byte> bytes) override { return write_at(used_, bytes); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset > memory_.size() || bytes.size() > memory_.size() - offset) {
      return Error{ErrorKind::corrupt, "the output is longer than the numbers were"};
    }
    const auto place = static_cast<std::size_t>(offset);
    std::memcpy(memory_.data() + place, bytes.data(), bytes.size());
    used_ = std::max(used_, place + bytes.size());
    return ok();
  }

  std::span<const std::byte> written() const { return memory_.first(used_); }

 private:
  std::span<std::byte> memory_;
  std::size_t used_ = 0;
};

}  // namespace tdz::app::bench
