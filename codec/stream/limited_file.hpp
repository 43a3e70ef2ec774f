// SPDX-License-Identifier: Apache-2.0
// A file for readers of records that have a memory limit.
#pragma once

#include <cstdint>
#include <span>

#include "codec/stream/memory_limit.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A file, of which no record is read that needs more than this memory. What is made of a record takes about
/// as much again.
class LimitedFile final : public RandomAccess {
 public:
  LimitedFile(RandomAccess& file, std::uint64_t memory) : file_(file), memory_(memory) {}
  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (into.size() <= memory_ / 2) return file_.read_at(offset, into);
    return too_little_memory("a record", 2 * std::uint64_t{into.size()}, memory_, offset);
  }

 private:
  RandomAccess& file_;
  std::uint64_t memory_;
};

}  // namespace tdz
