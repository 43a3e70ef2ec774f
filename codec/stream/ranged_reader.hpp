// SPDX-License-Identifier: Apache-2.0
// Picks a range out of what another reader hands out: chunks outside of it are passed over undecoded, the
// first and the last are cut to it, and reading stops where it ends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "codec/stream/stream_events.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A range in bytes; an open one ends at the largest number there is.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = formats::kUnknown;
};
/// Error usage where a value is no number of bytes below 2^64.
Result<ByteRange> byte_range(const Range& range, const NumberType& nominal);

class RangedReader final : public EventReader {
 public:
  /// `inner` begins behind the first `passed` bytes of the original, or in the chunk that holds the next one.
  RangedReader(std::unique_ptr<EventReader> inner, const Range& range, std::uint64_t passed)
      : inner_(std::move(inner)), wanted_(range), passed_(passed) {}

  Result<StreamEvent> next(Buffer& memory) override;
  std::uint64_t position() const override { return inner_->position(); }
  void limit_memory(std::uint64_t bytes) override { inner_->limit_memory(bytes); }
  NumberType nominal() const override { return inner_->nominal(); }

 private:
  Result<StreamEvent> end_of_input() const;
  bool cut(StoredChunk& chunk) const;

  std::unique_ptr<EventReader> inner_;
  Range wanted_;
  std::optional<ByteRange> range_;  // once the numbers' type is known
  std::uint64_t passed_;            // bytes of the original, wanted or not
};

/// The reader for a call of decompress. A range goes through the index where `from` can be read at any offset
/// and its index is sound; else through all that stands before it.
std::unique_ptr<EventReader> reader_for(Source& from, const std::optional<Range>& range);

}  // namespace tdz
