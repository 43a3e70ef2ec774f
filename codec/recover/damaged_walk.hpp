// SPDX-License-Identifier: Apache-2.0
// Walks through a damaged file from record to record. After a damaged record, it searches for the next record
// of the same stream and continues there. The search may also find records of other streams. They count only
// at places that the current stream cannot reach, because the original may hold a .tdz file: then its records
// lie inside the frames of the outer stream.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "codec/recover/account.hpp"
#include "codec/recover/survey.hpp"

namespace tdz {

/// A chunk with an intact record. Its frames may be damaged or incomplete.
struct FoundChunk {
  formats::ChunkRecord record;
  std::uint64_t where = 0;   ///< of its record in the file
  std::uint64_t frames = 0;  ///< where its frames should begin
  bool all_there = false;    ///< the file is long enough to hold all frames
};
/// There are no more chunks of this stream.
struct StreamOver {
  std::optional<std::uint64_t> original_bytes;  ///< if known
  std::optional<formats::Digest128> whole;      ///< the digest of the whole original, if known
  bool more_is_lost = false;  ///< after this stream there is, or may be, another one that is lost
};
struct FileOver {
  bool leaves_room = false;  ///< there is room for a stream that left no record
};
using WalkEvent = std::variant<FoundChunk, StreamOver, FileOver>;

class DamagedWalk {
 public:
  /// `ends` is the result of surviving_ends.
  DamagedWalk(RandomAccess& file, std::vector<KnownEnd> ends, const std::stop_token& stop = {})
      : file_(file), scan_(file, stop), stop_(stop), ends_(std::move(ends)) {}

  /// Returns the chunks of a stream in the order of their numbers and offsets. Errors: io, limit, cancelled.
  Result<WalkEvent> next();

  /// The first record of a later format version that the walk met, as an Error unsupported.
  const std::optional<Error>& unsupported() const { return unsupported_; }

 private:
  struct Stream {
    std::uint64_t begin = 0;
    formats::StreamHeader header;
    std::optional<std::uint64_t> id;
    // The region is the part of the file in which records of this stream are looked for.
    const KnownEnd* end = nullptr;  // the END at the end of the region, of this stream or of another one
    std::uint64_t limit = 0;        // where the region ends
    std::uint64_t next_begin = formats::kUnknown;  // where the next stream begins, by its own END
    std::optional<std::uint64_t> next_id;          // the id of that stream
    std::uint64_t next_number = 0;                 // of the next chunk, at least
    std::uint64_t next_offset = 0;                 // of the next chunk in the original, at least
    std::uint64_t behind = 0;                      // where the frames of its last chunk should end
    std::optional<std::uint64_t> original_bytes;   // from header or index
    std::vector<std::byte> header_record;          // if it is intact
    bool chunks_are_over = false;                  // the last part of its index was found
    bool may_hide_others = false;  // its last chunk would reach over places where streams seem to be
    bool is_foreign = false;       // of a later version: none of its records is used
    // Sums and maxima over the chunks found, for is_too_much().
    std::uint64_t chunks = 0, packed_bytes = 0, frames = 0, most_frames = 1, most_record_bytes = 128;
    std::vector<Transform> transforms;
    std::uint64_t transform_bytes = 0;

    /// Cuts the region: everything from `place` on, also the region's END, belongs to other streams.
    void end_before(std::uint64_t place) {
      limit = place;
      end = nullptr;
    }
  };
  /// A header or a chunk of another stream that the search found.
  struct Sight {
    std::uint64_t where = 0;
    bool is_chunk = false;
    bool is_first = false;     // the chunk is the first of its stream
    std::uint64_t stream = 0;  // the chunk's stream
  };
  /// The file bytes that the rest of a stream takes, at most.
  struct Rest {
    std::uint64_t reach = 0;   // missing chunks, records and frames: an upper bound that always holds
    std::uint64_t chunks = 0;  // the same, estimated from the chunks that were found
    std::uint64_t tail = 0;    // index, end and seek table
  };
  using Event = std::optional<WalkEvent>;  // nothing: the walk continues

  Result<WalkEvent> file_over();
  Result<bool> begin_stream();
  Status skip_zeros();
  Stream region_at(std::uint64_t place) const;
  Status read_header(Stream& stream);
  Status identify(Stream& stream);
  Status part_from_end(Stream& stream) const;
  using Election = decltype(&commonest_stream);
  Result<std::optional<std::uint64_t>> elect(const Stream& stream, Election by) const;
  Result<bool> begins_later(Stream& stream);
  Result<bool> begins_apart(Stream& stream);
  Result<Event> take_record();
  Result<Event> take(const RawRecord& record);
  Result<Event> take_chunk(const RawRecord& record);
  Result<Event> take_index(const RawRecord& record);
  Result<Event> take_end(const RawRecord& record);
  Result<bool> pass_over_seek(const formats::EndRecord& end);
  Result<Event> search(std::uint64_t from);
  Result<Event> give_up();
  Result<Event> pass_over(const RawRecord& record, bool sound);
  bool goes_on_with(const RawRecord& record, std::uint64_t where) const;
  Result<bool> begins_another(const RawRecord& record, std::uint64_t where) const;
  Result<std::optional<Sight>> next_of_others(std::uint64_t from);
  Rest rest_of_stream() const;
  bool is_too_much(std::uint64_t from, std::uint64_t limit) const;
  Status pass_over_inner_ends(std::uint64_t frames, std::uint64_t behind);
  void note(const Error& error);
  void note(const Transform& transform);
  bool is_ours(const formats::ChunkRecord& chunk) const;
  bool region_has_its_end() const;
  bool region_ends_with_another() const;
  StreamOver over() const;

  RandomAccess& file_;
  RecordScan scan_;
  Account account_;
  std::stop_token stop_;
  std::vector<KnownEnd> ends_;
  std::optional<Error> unsupported_;
  std::optional<Stream> stream_;
  std::uint64_t place_ = 0;
  bool any_stream_ = false;
  // The stream before is over, and the chunk found after it belongs to the stream of the region's END.
  bool rest_is_of_end_ = false;
};

}  // namespace tdz
