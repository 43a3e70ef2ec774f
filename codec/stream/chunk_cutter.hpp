// SPDX-License-Identifier: Apache-2.0
// Cuts an input into chunks: at whole rows, at the end of a raw prefix, and when bytes from a slow pipe have
// waited too long. A chunk that must end inside a row is followed by the rest of the row as a chunk of plain
// bytes. So the chunk after it begins with a whole row again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Decides when a chunk of a slow input is written before it is full. Measures the time since the first byte
/// that waits; later bytes do not start it again. Without `after` it is never due. Not thread-safe.
class FlushClock {
 public:
  explicit FlushClock(std::optional<std::chrono::milliseconds> after = {}) : after_(after) {}

  /// Bytes wait now. Starts the clock if it does not run.
  void start() {
    if (after_ && !due_) due_ = Clock::now() + *after_;
  }
  /// No byte waits now. Stops the clock.
  void stop() { due_.reset(); }

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

/// Lets the search see the beginning of a pipe: bytes that were read ahead are returned again by read().
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

/// Where to cut; from CompressOptions.
struct CutRules {
  std::uint64_t raw_prefix = 0;   ///< bytes at the start that are not numbers
  std::uint32_t chunk_bytes = 0;  ///< longest chunk
  std::uint32_t unit_bytes = 1;   ///< chunks end at its multiples: whole rows and tuples; <= chunk_bytes
};

/// One chunk's bytes, and whether they are no rows: the raw prefix, or the rest of a row.
struct Cut {
  std::span<const std::byte> bytes;  ///< empty at the end of the input
  bool raw = false;
};

class ChunkCutter {
 public:
  /// `clock` decides when a chunk ends early. It already runs if bytes of `source` were read ahead.
  ChunkCutter(Source& source, const CutRules& rules, FlushClock clock = FlushClock());
  /// Reads the next chunk into `memory`. Not thread-safe. Errors: those of the source.
  Result<Cut> next(Buffer& memory);

 private:
  std::size_t longest_chunk() const;
  /// Reads until `into` is full, the input ends, or a flush is due and there is a byte. Returns the number of
  /// bytes in `into`.
  Result<std::size_t> read_chunk(std::span<std::byte> into);
  std::size_t end_at_row(std::span<std::byte> bytes, std::size_t came);

  Source& source_;
  CutRules rules_;
  FlushClock clock_;
  std::uint64_t raw_left_;  // bytes of the raw prefix, or of a row whose begin was sent
  bool ended_ = false;
  Buffer rest_memory_;  // the part of a row after a flushed chunk; it begins the next chunk
  std::size_t rest_ = 0;
};

}  // namespace tdz
