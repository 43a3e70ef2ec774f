// SPDX-License-Identifier: Apache-2.0
// The substreams of a chunk while they are made, one behind the other. Keeps its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/chunk/buffer.hpp"

namespace tdz {

class SubstreamSink {
 public:
  /// `expected`: a guess that saves moves.
  void begin(std::size_t expected) {
    memory_.take(expected);
    used_ = 0;
    lengths_.clear();
  }
  /// Memory behind what there is, until the next call.
  std::span<std::byte> room(std::size_t bytes) { return memory_.grow(used_ + bytes, used_).subspan(used_); }
  /// The next `bytes` bytes of the room are a substream.
  void keep(std::size_t bytes) {
    used_ += bytes;
    lengths_.push_back(static_cast<std::uint32_t>(bytes));
  }
  void put(std::span<const std::byte> bytes) {
    const auto to = room(bytes.size());
    if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
    keep(bytes.size());
  }

  std::span<const std::byte> bytes() { return memory_.grow(used_, used_); }
  const std::vector<std::uint32_t>& lengths() const { return lengths_; }

 private:
  Buffer memory_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> lengths_;
};

}  // namespace tdz
