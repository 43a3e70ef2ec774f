// SPDX-License-Identifier: Apache-2.0
// Reads a part of the original: through the index, from any chunk on, or by reading everything before it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_reader.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- From any chunk on. The index says where the chunk is, and what it is.

/// A chunk whose record was read, and nothing else of it.
struct ListedChunk {
  ParsedChunk chunk;
  std::uint64_t where = 0;            ///< of the record in the file
  std::uint64_t packed_at = 0;        ///< of its frames in the file
  std::uint64_t original_before = 0;  ///< bytes of the streams before its own
};

class IndexedReader final : public EventReader {
 public:
  /// Reads nothing yet. Preconditions: at least one stream; the file lives longer than the reader.
  IndexedReader(RandomAccess& file, std::vector<FoundStream> streams, Frames frames = Frames::read);
  /// Goes to the chunk with the byte at `offset` of the original; concatenated streams count as one original.
  /// If `offset` is at or after its end, the next event is EndOfInput. Checks all of this stream's index. An
  /// empty stream before the chunk is checked if it stands at `offset`.
  Status go_to(std::uint64_t offset);

  Result<StreamEvent> next(Buffer& memory) override;
  /// The same without frames; nothing at the end.
  Result<std::optional<ListedChunk>> next_listed();
  /// Many of them, judged by up to `threads` threads: those that begin before byte `until` of the original,
  /// as far as one part of the index and 16 MiB of records reach. Nothing only at the end. The file is read
  /// by the calling thread alone. The error is that of the first chunk that has one.
  Result<std::vector<ListedChunk>> next_listed(std::uint64_t until, unsigned threads);
  std::uint64_t position() const override { return bytes_read_; }
  void limit_memory(std::uint64_t bytes) override { memory_ = bytes; }
  const std::string& type() const override { return streams_.front().header.type; }
  std::uint64_t original_bytes() const;
  /// Tells where the records lie that a part of the index lists, before the first of them is read.
  void tell_places(std::function<void(std::vector<std::uint64_t>)> told) { told_ = std::move(told); }

 private:
  const FoundStream& stream() const { return streams_[stream_]; }
  Status enter(std::uint64_t within);
  Status go_on();
  void tell() const;
  /// An entry of the index with its record.
  struct Listed {
    std::size_t entry = 0;
    std::uint64_t chain = 0;
    std::span<const std::byte> record;
  };

  std::uint64_t place_of(const formats::IndexEntry& entry) const {
    return stream().begin + entry.record_offset;
  }
  formats::ChunkRules rules(const Listed& listed) const;
  Result<bool> has_next();
  Result<ListedChunk> judged(const Listed& listed, LastPlan& last, MemoryCheck& memory) const;
  void pass(const formats::IndexEntry& entry);

  RandomAccess& file_;
  std::vector<FoundStream> streams_;
  Frames frames_;
  std::size_t stream_ = 0;             // the current stream
  std::uint64_t original_before_ = 0;  // bytes of the streams before it
  std::optional<IndexWalk> walk_;      // at the part that lists the next chunk, or after the last part
  std::size_t entry_ = 0;              // of the next chunk
  std::uint64_t chain_ = 0;            // of the next chunk
  std::uint64_t bytes_read_ = 0;
  std::uint64_t memory_ = ~std::uint64_t{0};
  std::function<void(std::vector<std::uint64_t>)> told_;
};

// ---- A range of the events of another reader. Chunks outside the range are skipped without decoding; the
// first and the last chunk are cut to the range; reading stops at its end.

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
std::unique_ptr<EventReader> reader_for_file(RandomAccess& file, const std::optional<Range>& range);

}  // namespace tdz
