// SPDX-License-Identifier: Apache-2.0
// Walks a damaged file from record to record, and where the thread is lost picks it up at the next record of
// the same stream. What else a search finds is believed only where this stream cannot reach any more, because
// one that was compressed again may stand, record by record, inside the frames of the outer one.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "codec/recover/account.hpp"
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
  bool more_is_lost = false;  ///< behind it something else is, or may be, of which nothing is known
};
struct FileOver {
  bool leaves_room = false;  ///< in which a stream may have been, and gone without a trace
};
using WalkEvent = std::variant<FoundChunk, StreamOver, FileOver>;

class DamagedWalk {
 public:
  /// `ends` as surviving_ends gives them.
  DamagedWalk(RandomAccess& file, std::vector<KnownEnd> ends, const std::stop_token& stop = {})
      : file_(file), scan_(file, stop), stop_(stop), ends_(std::move(ends)) {}

  /// Chunks of a stream come with rising numbers and offsets. Errors: io, limit, cancelled.
  Result<WalkEvent> next();

  /// The first thing met that a later version may understand, as an Error unsupported.
  const std::optional<Error>& unsupported() const { return unsupported_; }

 private:
  struct Stream {
    std::uint64_t begin = 0;
    formats::StreamHeader header;
    std::optional<std::uint64_t> id;
    const KnownEnd* end = nullptr;  // that the region ends with
    std::uint64_t limit = 0;        // of the region
    std::uint64_t next_begin = formats::kUnknown;  // the next one says that it begins here
    std::optional<std::uint64_t> next_id;          // and has this id
    std::uint64_t next_number = 0;
    std::uint64_t next_offset = 0;
    std::uint64_t behind = 0;                     // where the frames of its last chunk should end
    std::optional<std::uint64_t> original_bytes;  // as header or index give them
    std::vector<std::byte> header_record;         // if it is sound
    bool chunks_are_over = false;                 // the last part of its index has come
    bool may_hide_others = false;                 // its last chunk reaches over what seem streams
    bool is_foreign = false;                      // of a later version: nothing in it is believed
    // Of the chunks found, for is_too_much().
    std::uint64_t chunks = 0, packed_bytes = 0, frames = 0, most_frames = 1, most_record_bytes = 128;
    std::vector<Transform> transforms;
    std::uint64_t transform_bytes = 0;

    /// The region is cut: what is there, its END too, is somebody else's.
    void end_before(std::uint64_t place) {
      limit = place;
      end = nullptr;
    }
  };
  /// A header or a chunk of another stream.
  struct Sight {
    std::uint64_t where = 0;
    bool is_chunk = false;
    bool is_first = false;     // of its stream
    std::uint64_t stream = 0;  // of a chunk
  };
  struct Rest {
    std::uint64_t reach = 0;   // the records and frames of the chunks that are missing, at most,
    std::uint64_t chunks = 0;  // and as far as those that were found tell
    std::uint64_t tail = 0;    // index, end and seek table
  };
  using Event = std::optional<WalkEvent>;  // nothing: the walk goes on

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
  // The stream before was whole: what its region still holds is of the END there.
  bool rest_is_of_end_ = false;
};

}  // namespace tdz
