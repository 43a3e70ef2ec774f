// SPDX-License-Identifier: Apache-2.0
// Walks a damaged file from record to record, and where the thread is lost picks it up at the next chunk of
// the same stream. By position a stream's header, index and end are believed; by search only its chunks,
// because a stream that was compressed again may stand, record by record, inside the frames of the outer one.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "codec/recover/survey.hpp"

namespace tdz {

/// A chunk whose record is sound. Its frames may be damaged, or not all there.
struct FoundChunk {
  formats::ChunkRecord record;
  std::uint64_t where = 0;   ///< of its record in the file
  std::uint64_t frames = 0;  ///< where they should begin
  bool all_there = false;    ///< the file goes on to the end of the frames
};
/// No more chunks of this stream, and what is known of the whole.
struct StreamOver {
  std::optional<std::uint64_t> original_bytes;
  std::optional<formats::Digest128> whole;
};
struct FileOver {};
using WalkEvent = std::variant<FoundChunk, StreamOver, FileOver>;

class DamagedWalk {
 public:
  /// `ends` as surviving_ends gives them.
  DamagedWalk(RandomAccess& file, std::vector<KnownEnd> ends)
      : file_(file), scan_(file), ends_(std::move(ends)) {}

  /// Chunks of a stream come with rising numbers and offsets. Errors: io, limit, unsupported.
  Result<WalkEvent> next();

 private:
  struct Stream {
    std::uint64_t begin = 0;
    formats::StreamHeader header;
    std::optional<std::uint64_t> id;
    const KnownEnd* end = nullptr;  // that the region ends with
    std::uint64_t limit = 0;        // of the region
    std::uint64_t next_number = 0;
    std::uint64_t next_offset = 0;
    std::optional<std::uint64_t> original_bytes;  // as header or index give them
  };
  using Event = std::optional<WalkEvent>;  // nothing: the walk goes on

  Result<bool> begin_stream();
  Status skip_zeros();
  Stream region_at(std::uint64_t place) const;
  Status read_header(Stream& stream);
  Status identify(Stream& stream);
  Result<Event> take_record();
  Result<Event> take(const RawRecord& record);
  Result<Event> take_chunk(const RawRecord& record);
  Result<Event> take_index(const RawRecord& record);
  Result<Event> take_end(const RawRecord& record);
  Result<Event> search(std::uint64_t from);
  Result<Event> give_up();
  bool is_ours(const formats::ChunkRecord& chunk) const;
  StreamOver over() const;

  RandomAccess& file_;
  RecordScan scan_;
  std::vector<KnownEnd> ends_;
  std::optional<Stream> stream_;
  std::uint64_t place_ = 0;
  bool any_stream_ = false;
};

}  // namespace tdz
