// SPDX-License-Identifier: Apache-2.0
// Selects a range from the events of another reader. Chunks outside the range are skipped without decoding;
// the first and the last chunk are cut to the range; reading stops at its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "codec/stream/stream_events.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A range in bytes. A range without a length ends at the largest number, kNone.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = formats::kNone;
};
/// Converts values to bytes: a value is a row of this type, or a byte if the text names no type. Error usage
/// if the range ends at or beyond 2^64 bytes.
Result<ByteRange> byte_range(const Range& range, std::string_view type);

class RangedReader final : public EventReader {
 public:
  /// `inner` starts after the first `passed` bytes of the original, or with the chunk that holds byte
  /// `passed`.
  RangedReader(std::unique_ptr<EventReader> inner, const Range& range, std::uint64_t passed)
      : inner_(std::move(inner)), wanted_(range), passed_(passed) {}

  Result<StreamEvent> next(Buffer& memory) override;
  std::uint64_t position() const override { return inner_->position(); }
  void limit_memory(std::uint64_t bytes) override { inner_->limit_memory(bytes); }
  const std::string& type() const override { return inner_->type(); }

 private:
  Result<StreamEvent> end_of_input() const;
  bool cut(StoredChunk& chunk) const;

  std::unique_ptr<EventReader> inner_;
  Range wanted_;
  std::optional<ByteRange> range_;  // known when the numbers' type is known, after the first event
  std::uint64_t passed_;            // bytes of the original up to the last chunk, wanted or not
};

/// The reader for a call of decompress. For a range it uses the index if `from` can be read at any offset and
/// its index is intact; else it reads everything before the range.
std::unique_ptr<EventReader> reader_for(Source& from, const std::optional<Range>& range);
/// The same for a file. Frames are left there.
std::unique_ptr<EventReader> records_of(RandomAccess& file, const std::optional<Range>& range);

}  // namespace tdz
