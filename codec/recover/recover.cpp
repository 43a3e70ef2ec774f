// SPDX-License-Identifier: Apache-2.0
// Recovery: heal the file by its parity, if it is better for it -> find the records -> groups, streams of the
// file -> decode their chunks -> write them to their places.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/recover/groups.hpp"
#include "codec/recover/healing.hpp"
#include "codec/recover/record_scan.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_input.hpp"
#include "formats/digest.hpp"
#include "formats/stream/stream_records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using namespace formats;

namespace {

// ---- The output

/// Writes the restored chunks, fills the gaps between them, and reports the missing ranges.
class RecoveryOutput {
 public:
  RecoveryOutput(Sink& sink, const RecoverOptions& options) : sink_(sink), options_(options) {}

  /// Writes the bytes of the original at `offset`. The bytes between position() and `offset` are missing.
  /// Precondition: `offset` is at least position().
  Status put(std::uint64_t offset, std::span<const std::byte> bytes);
  /// All bytes between position() and `offset` are missing.
  Status skip_to(std::uint64_t offset);
  /// An unknown number of bytes is missing from position() on.
  void lose_the_rest();
  /// Reports the last missing range and writes the zeros that the output still lacks.
  Status finish();

  std::uint64_t position() const { return position_; }  ///< in the original
  bool misses_something() const { return missing_ || missing_ranges_ > 0; }
  /// The number of ranges reported so far; all of them after finish().
  std::uint64_t missing_ranges() const { return missing_ranges_; }

 private:
  Status write(std::span<const std::byte> bytes);
  Status write_zeros(std::uint64_t count);
  void report();

  Sink& sink_;
  const RecoverOptions& options_;
  std::uint64_t position_ = 0;           // in the original
  std::uint64_t written_ = 0;            // in the output
  std::optional<MissingRange> missing_;  // the range that may still grow; not yet reported
  std::uint64_t gap_ = 0;                // zeros that are not yet written
  std::uint64_t missing_ranges_ = 0;
};

Status RecoveryOutput::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (auto done = skip_to(offset); !done) return done;
  report();
  if (gap_ > 0) {
    if (auto done = write_zeros(std::exchange(gap_, 0)); !done) return done;
  }
  if (auto done = write(bytes); !done) return done;
  position_ += bytes.size();
  return ok();
}

Status RecoveryOutput::skip_to(std::uint64_t offset) {
  const std::uint64_t length = offset - position_;
  if (length == 0) return ok();
  if (missing_ && missing_->length) {
    *missing_->length += length;
  } else {
    report();
    missing_ = {position_, length};
  }
  if (options_.fill == Fill::zeros) gap_ += length;
  if (gap_ > options_.max_output - written_) {
    return Error{ErrorKind::limit, longer_than(options_.max_output)};
  }
  position_ = offset;
  return ok();
}

void RecoveryOutput::lose_the_rest() {
  if (missing_ && missing_->length) report();
  missing_ = {position_, std::nullopt};
}

Status RecoveryOutput::finish() {
  report();
  return gap_ > 0 ? write_zeros(std::exchange(gap_, 0)) : ok();
}

void RecoveryOutput::report() {
  if (!missing_) return;
  ++missing_ranges_;
  if (options_.missing) options_.missing(*missing_);
  missing_.reset();
}

Status RecoveryOutput::write(std::span<const std::byte> bytes) {
  if (bytes.size() > options_.max_output - written_) {
    return Error{ErrorKind::limit, longer_than(options_.max_output)};
  }
  const std::uint64_t place = std::exchange(written_, written_ + bytes.size());
  return sink_.positioned() ? sink_.write_at(place, bytes) : sink_.write(bytes);
}

/// In a positioned output only the last zero is written: bytes that were never written read as zeros.
Status RecoveryOutput::write_zeros(std::uint64_t count) {
  constexpr std::array<std::byte, 4096> kZeros{};
  if (sink_.positioned()) {
    written_ += count - 1;
    count = 1;
  }
  while (count > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(count, kZeros.size()));
    if (auto done = write(std::span(kZeros).first(piece)); !done) return done;
    count -= piece;
  }
  return ok();
}

// ---- The streams of the file

/// How long the lost index and END after a stream's chunks were.
class LostTail {
 public:
  void add(const std::vector<std::byte>& plan) {
    ++entries_;
    if (plan_bytes_ <= kMaxPlanTable && plans_.insert(xxh3_64(plan)).second) plan_bytes_ += plan.size();
  }
  /// Nothing if the index had several parts.
  std::optional<std::uint64_t> bytes() const {
    if (entries_ > kMaxEntries || plan_bytes_ > kMaxPlanTable) return std::nullopt;
    const std::uint64_t index =
        kIndexFields + (plan_bytes_ + 7) / 8 * 8 + kEntryBytes * entries_ + kRecordCheckBytes;
    return (entries_ > 0 ? index : 0) + kEndLength;
  }

 private:
  std::uint64_t entries_ = 0;
  std::set<std::uint64_t> plans_;  // their digests
  std::uint64_t plan_bytes_ = 0;
};

class Recovery {
 public:
  Recovery(RandomAccess& from, Sink& to, const RecoverOptions& options)
      : file_(from), options_(options), output_(to, options) {}

  Result<Recovered> run() {
    std::uint64_t work = 0;
    Grouping grouping(work);
    RecordScan scan(file_, options_.stop);
    if (auto done = scan.run(grouping); !done) return done.error();
    unsupported_ = scan.unsupported();
    auto streams = streams_of_file(std::move(grouping).streams(), file_);
    if (!streams) return streams.error();
    for (const FileStream& stream : *streams) {
      if (auto done = take(stream); !done) return done.error();
    }
    return finish(scan.gave_up());
  }

 private:
  Status take(const FileStream& stream) {
    const Group& group = stream.group;
    if (auto done = report_loss_before(group); !done) return done;
    if (group.header && !group.header->header) {  // of another version
      output_.lose_the_rest();
      previous_end_.reset();
      return ok();
    }
    stream_begin_ = output_.position();
    chain_ = kFirstChain;
    next_number_ = 0;
    stream_whole_ = true;
    tail_ = {};
    const std::uint64_t before = recovered_.chunks;
    for (const FoundChunk& chunk : group.chunks) {
      if (auto done = take(chunk, group); !done) return done;
    }
    recovered_.streams += recovered_.chunks > before || group.end;
    return close(stream);
  }

  /// Another stream may be lost before this one, if this one does not begin where the stream before ends.
  Status report_loss_before(const Group& group) {
    const bool is_cut = first_ && group.begin < 0;
    first_ = false;
    const auto begin = static_cast<std::uint64_t>(std::max<std::int64_t>(group.begin, 0));
    bool follows = is_cut || previous_end_ == begin;
    if (!follows && previous_end_ && zeros_may_follow_ && begin > *previous_end_) {
      auto zeros = after_zeros(file_, *previous_end_);
      if (!zeros) return zeros.error();
      follows = *zeros >= begin;
    }
    if (!follows) output_.lose_the_rest();
    return ok();
  }

  Status take(const FoundChunk& found, const Group& group) {
    if (options_.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    if (!offset_is_possible(found, group)) return ok();
    auto original = decode(found, group);
    last_failed_ = !original;
    if (!original && is_fatal(original.error())) return original.error();
    const std::uint64_t offset = stream_begin_ + found.original_offset;
    if (found.number != next_number_ || !original) stream_whole_ = false;
    next_number_ = found.number + 1;
    chain_ = next_chain(found.chain, found.digest);
    if (!original) return output_.skip_to(offset + found.original_bytes);
    if (auto done = output_.put(offset, *original); !done) return done;
    recovered_.recovered_bytes += original->size();
    ++recovered_.chunks;
    if (options_.progress) options_.progress({output_.position(), found.frames_end()});
    return ok();
  }

  /// Each chunk in between has at least one byte and at most the largest length.
  bool offset_is_possible(const FoundChunk& found, const Group& group) const {
    const std::uint64_t here = output_.position() - stream_begin_;
    if (found.number < next_number_ || found.original_offset < here) return false;
    if (!fits(found.original_end())) return false;
    const std::uint64_t numbers = found.number - next_number_, bytes = found.original_offset - here;
    return bytes >= numbers && bytes / rules(group).largest_chunk <= numbers && (numbers > 0 || bytes == 0);
  }

  /// All streams together have fewer than 2^64 bytes.
  bool fits(std::uint64_t offset_in_stream) const { return offset_in_stream < kNone - stream_begin_; }

  static ChunkRules rules(const Group& group) {
    if (!group.header) return {};
    return {.largest_chunk = group.header->header->largest_chunk,
            .largest_frame = group.header->header->largest_frame};
  }

  Result<std::span<const std::byte>> decode(const FoundChunk& found, const Group& group) {
    record_.resize(found.record_bytes);
    if (auto done = file_.read_at(found.where, record_); !done) return done.error();
    auto chunk = parse_with_plan(record_, rules(group), found.where);
    if (!chunk && chunk.error().kind == ErrorKind::unsupported && !unsupported_) unsupported_ = chunk.error();
    if (!chunk) return chunk.error();
    if (group.listed.empty() || found.number > group.listed.back().number) tail_.add(chunk->record.plan);
    if (found.frames_end() > file_.size()) return truncated("the chunk is cut off", found.where);
    if (auto done = count_frames(found); !done) return done.error();
    const std::uint64_t memory = memory_or_usual(options_.memory);
    if (auto done = check_memory(*chunk, memory, found.where); !done) return done.error();
    const auto packed = packed_.take(found.packed_bytes);
    if (auto done = file_.read_at(found.frames_begin(), packed); !done) return done.error();
    const auto original = original_.take(found.original_bytes);
    if (auto done = decoder_.decode(*chunk, packed, original); !done) return done.error();
    return std::span<const std::byte>(original);
  }

  /// The frames of chunks do not overlap, except in a file that was made to take long: there each of many
  /// records may claim all bytes after it.
  Status count_frames(const FoundChunk& found) {
    constexpr std::uint64_t kMostTimes = 16;
    frame_bytes_ += found.packed_bytes;
    if (frame_bytes_ / kMostTimes <= file_.size()) return ok();
    return corrupt("the frames of this chunk overlap those of many others", found.where);
  }

  Status close(const FileStream& stream) {
    const Group& group = stream.group;
    const auto bytes = group.original_bytes();
    const std::uint64_t have = output_.position() - stream_begin_;
    set_previous_end(group);
    if (!bytes || !fits(*bytes)) {
      output_.lose_the_rest();
    } else if (*bytes > have) {
      stream_whole_ = false;
      if (auto done = output_.skip_to(stream_begin_ + *bytes); !done) return done;
    }
    if (stream.hides_others || (stream.last_may_hide && last_failed_)) output_.lose_the_rest();
    if (group.end && stream_whole_ && !is_right(*group.end, have)) recovered_.digests_match = false;
    return ok();
  }

  bool is_right(const EndRecord& end, std::uint64_t bytes) const {
    return end.chain == chain_ && end.chunks == next_number_ && end.original_bytes == bytes;
  }

  /// Where the stream ends, if its records tell it.
  void set_previous_end(const Group& group) {
    previous_end_.reset();
    farthest_end_.reset();
    zeros_may_follow_ = group.end.has_value();
    if (group.end) {
      previous_end_ = group.records_end;
    } else if (group.has_last_index_part) {
      previous_end_ = group.records_end + kEndLength;
    } else if (has_all_chunks(group)) {
      if (const auto tail = tail_.bytes()) previous_end_ = group.extent_end + *tail;
    } else if (group.original_bytes()) {
      const std::uint64_t more = *group.original_bytes() / kMinChunk + 1;
      farthest_end_ = farthest_end(group) + tail_.bytes().value_or(0) + kEntryBytes * more + kMaxPlanBytes;
    }
  }

  /// The last stream may be cut short. Then nothing tells whether others stood after it.
  Result<bool> may_end_here() {
    const std::uint64_t size = file_.size();
    if (!previous_end_) return farthest_end_ && size <= *farthest_end_;
    if (!zeros_may_follow_) return size <= *previous_end_;
    auto zeros = after_zeros(file_, *previous_end_);
    if (!zeros) return zeros.error();
    return *zeros == size;
  }

  Result<Recovered> finish(bool scan_gave_up) {
    const bool found_nothing =
        recovered_.chunks == 0 && (recovered_.streams == 0 || output_.misses_something());
    if (found_nothing && unsupported_) return *unsupported_;
    if (found_nothing) return Error{ErrorKind::corrupt, "this file contains no intact chunk of a tdz stream"};
    auto may_end = may_end_here();
    if (!may_end) return may_end.error();
    if (!*may_end || scan_gave_up) output_.lose_the_rest();
    if (auto done = output_.finish(); !done) return done.error();
    recovered_.original_bytes = output_.position();
    recovered_.missing_ranges = output_.missing_ranges();
    return recovered_;
  }

  RandomAccess& file_;
  const RecoverOptions& options_;
  RecoveryOutput output_;
  ChunkDecoder decoder_;
  std::vector<std::byte> record_;
  Buffer packed_;
  Buffer original_;
  std::optional<Error> unsupported_;
  std::uint64_t frame_bytes_ = 0;  // read so far
  Recovered recovered_;

  // The stream before the one at hand.
  bool first_ = true;                              // there is none
  std::optional<std::uint64_t> previous_end_ = 0;  // where it ends exactly, if that is known
  std::optional<std::uint64_t> farthest_end_;      // otherwise where it ends at most, if that is known
  bool zeros_may_follow_ = false;

  // The stream at hand.
  std::uint64_t stream_begin_ = 0;  // in the original
  std::uint64_t next_number_ = 0;
  std::uint64_t chain_ = kFirstChain;
  bool stream_whole_ = true;
  bool last_failed_ = false;
  LostTail tail_;
};

// ---- With or without parity

/// What recovery gives, without a byte of output.
Result<Recovered> tried(RandomAccess& file, const RecoverOptions& options) {
  NowhereSink nowhere;
  RecoverOptions quiet = options;
  quiet.missing = {};
  quiet.progress = {};
  return Recovery(file, nowhere, quiet).run();
}

/// Whether recovery takes the healed file. It must be right as a whole, or give more of as many streams: what
/// the notes of another stream say, or of a copy that stands here twice, must not cost a chunk.
Result<bool> is_better(HealedFile& healed, RandomAccess& from, const RecoverOptions& options) {
  FileSource source(healed);
  NowhereSink nowhere;
  DecompressOptions checking{.memory = options.memory, .max_output = options.max_output};
  checking.compare_digest = true;
  checking.backend = BackendChoice::cpu;
  checking.stop = options.stop;
  const auto good = decompress(source, nowhere, checking);
  if (good || good.error().kind == ErrorKind::cancelled) return good ? Result<bool>(true) : good.error();
  const auto with = tried(healed, options), without = tried(from, options);
  for (const auto* one : {&with, &without})
    if (!*one && one->error().kind == ErrorKind::cancelled) return one->error();
  if (!with || !without) return bool(with);
  return with->streams == without->streams && with->recovered_bytes > without->recovered_bytes;
}

Result<Recovered> recover_by_parity(RandomAccess& from, Sink& to, const RecoverOptions& options) {
  HealedFile healed(from);
  auto found = heal_by_parity(healed, from, {memory_or_usual(options.memory), true, options.stop});
  // More than fits the memory is restored by nobody: what is left is taken without parity.
  if (!found && found.error().kind != ErrorKind::limit) return found.error();
  Result<bool> use = found && healed.differs() ? is_better(healed, from, options) : Result<bool>(false);
  if (!use) return use.error();
  auto recovered = Recovery(*use ? static_cast<RandomAccess&>(healed) : from, to, options).run();
  if (recovered && found) recovered->healing = healed.healing();
  if (recovered && found && !*use) recovered->healing.restored_bytes = 0;
  return recovered;
}

}  // namespace

Result<Recovered> recover(RandomAccess& from, Sink& to, const RecoverOptions& options) {
  return guarded([&] { return recover_by_parity(from, to, options); });
}

}  // namespace tdz
