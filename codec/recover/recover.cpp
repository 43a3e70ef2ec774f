// SPDX-License-Identifier: Apache-2.0
// Recovery: walk through the file -> decode intact chunks -> write them to their places.
#include <new>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/pipe/memory_limit.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/recover/damaged_walk.hpp"
#include "codec/recover/recovery_output.hpp"
#include "formats/digest.hpp"

namespace tdz {
namespace {

class Recovery {
 public:
  Recovery(RandomAccess& from, Sink& to, const RecoverOptions& options, std::vector<KnownEnd> ends)
      : file_(from),
        options_(options),
        walk_(from, std::move(ends), options.stop),
        output_(to, options),
        decoder_(cpu_backend(), FrameChecksum::ignored) {}

  Result<Recovered> run() {
    for (;;) {
      if (options_.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
      auto event = walk_.next();
      if (!event) return event.error();
      if (const auto* over = std::get_if<FileOver>(&*event)) return finish(over->leaves_room);
      const auto* chunk = std::get_if<FoundChunk>(&*event);
      auto done = chunk != nullptr ? take(*chunk) : close(std::get<StreamOver>(*event));
      if (!done) return done.error();
    }
  }

 private:
  Status take(const FoundChunk& chunk) {
    if (!fits(chunk.record.original_offset + chunk.record.original_bytes)) return ok();  // beyond 2^64
    const std::uint64_t offset = stream_begin_ + chunk.record.original_offset;
    auto original = decode(chunk);
    if (!original && is_fatal(original.error())) return original.error();
    if (!original) return lose(offset, chunk.record.original_bytes);
    if (output_.position() != offset) stream_whole_ = false;
    if (auto done = output_.put(offset, *original); !done) return done;
    stream_found_ = true;
    digest_.update128(*original);
    recovered_.recovered_bytes += original->size();
    ++recovered_.chunks;
    if (options_.progress)
      options_.progress({output_.position(), chunk.frames + chunk.record.packed_bytes()});
    return ok();
  }

  Status lose(std::uint64_t offset, std::uint64_t bytes) {
    stream_whole_ = false;
    return output_.skip_to(offset + bytes);
  }

  Result<std::span<const std::byte>> decode(const FoundChunk& chunk) {
    if (!chunk.all_there) return Error{ErrorKind::truncated, "the chunk is cut off"};
    const std::uint64_t memory = options_.memory != 0 ? options_.memory : usual_memory();
    if (auto done = check_memory(chunk.record, memory, chunk.where); !done) return done.error();
    const auto packed = packed_.take(static_cast<std::size_t>(chunk.record.packed_bytes()));
    if (auto done = file_.read_at(chunk.frames, packed); !done) return done.error();
    const auto original = original_.take(chunk.record.original_bytes);
    if (auto done = decoder_.decode(chunk.record, packed, original); !done) return done.error();
    return std::span<const std::byte>(original);
  }

  /// All streams together have fewer than 2^64 bytes.
  bool fits(std::uint64_t offset_in_stream) const {
    return offset_in_stream < formats::kUnknown - stream_begin_;
  }

  Status close(const StreamOver& over) {
    const std::uint64_t have = output_.position() - stream_begin_;
    if (!over.original_bytes || !fits(*over.original_bytes)) {
      output_.lose_the_rest();
    } else if (*over.original_bytes > have) {
      if (auto done = lose(stream_begin_, *over.original_bytes); !done) return done;
    }
    if (over.more_is_lost) output_.lose_the_rest();
    if (over.whole) stream_found_ = true;
    if (over.whole && stream_whole_ && digest_.digest128() != *over.whole) recovered_.digests_match = false;
    recovered_.streams += stream_found_;
    stream_begin_ = output_.position();
    stream_found_ = false;
    stream_whole_ = true;
    digest_ = formats::DigestStream();
    return ok();
  }

  Result<Recovered> finish(bool room_is_left) {
    const bool found_nothing =
        recovered_.chunks == 0 && (recovered_.streams == 0 || output_.misses_something());
    if (found_nothing && walk_.unsupported()) return *walk_.unsupported();
    if (found_nothing) {
      return Error{ErrorKind::corrupt, "this file contains no intact chunk of a tdz stream"};
    }
    if (room_is_left && !output_.misses_something()) output_.lose_the_rest();
    if (auto done = output_.finish(); !done) return done.error();
    recovered_.original_bytes = output_.position();
    recovered_.missing_ranges = output_.missing_ranges();
    return recovered_;
  }

  RandomAccess& file_;
  const RecoverOptions& options_;
  DamagedWalk walk_;
  RecoveryOutput output_;
  ChunkDecoder decoder_;
  Buffer packed_;
  Buffer original_;
  formats::DigestStream digest_;    // of the stream so far; used only if no byte is missing
  std::uint64_t stream_begin_ = 0;  // in the original
  bool stream_found_ = false;       // a chunk or the end of the stream was found
  bool stream_whole_ = true;
  Recovered recovered_;
};

}  // namespace

Result<Recovered> recover(RandomAccess& from, Sink& to, const RecoverOptions& options) {
  try {
    auto ends = surviving_ends(from, options.stop);
    if (!ends) return ends.error();
    return Recovery(from, to, options, std::move(*ends)).run();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
