// SPDX-License-Identifier: Apache-2.0
// Lets the search see the beginning of a pipe: bytes that were read ahead are returned again by read().
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/memory_io.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class PrefixSource : public Source {
 public:
  explicit PrefixSource(Source& source, FlushClock clock = FlushClock()) : source_(source), clock_(clock) {}
  /// Reads up to `bytes` bytes ahead. Reads fewer if the input ends, or if a flush is due. Errors: those of
  /// the source.
  Status read_ahead(std::size_t bytes);
  std::span<const std::byte> prefix() const { return prefix_; }
  /// The clock runs from the first byte that was read ahead.
  const FlushClock& clock() const { return clock_; }

  Result<std::size_t> read(std::span<std::byte> into) override;
  bool ready_within(std::chrono::milliseconds time) override;
  std::optional<std::uint64_t> size() const override { return source_.size(); }
  RandomAccess* random_access() override { return source_.random_access(); }

 private:
  Source& source_;
  FlushClock clock_;
  std::vector<std::byte> prefix_;
  std::size_t delivered_ = 0;
};

}  // namespace tdz
