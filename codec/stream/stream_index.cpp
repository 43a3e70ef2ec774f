// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_index.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/stream_input.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/stream_records.hpp"

namespace tdz {

// ---- Streams and records

using namespace formats;

namespace {

struct FoundEnd {
  EndRecord end;
  std::uint64_t offset = 0;  // in the file
};

Result<FoundEnd> end_at(RandomAccess& file, std::uint64_t offset) {
  const auto record = read_record(file, {.end = true}, offset, file.size());
  if (!record) return record.error();
  const auto end = parse_end(record->bytes, {}, offset);
  if (!end) return end.error();
  return FoundEnd{*end, offset};
}

/// The number of zero bytes before `limit`.
Result<std::uint64_t> zeros_before(RandomAccess& file, std::uint64_t limit) {
  std::array<std::byte, 4096> block;
  std::uint64_t zeros = 0;
  while (zeros < limit) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), limit - zeros));
    const auto bytes = std::span(block).first(length);
    if (auto done = file.read_at(limit - zeros - length, bytes); !done) return done.error();
    const auto content = [](std::byte b) { return b != std::byte{0}; };
    const auto run =
        static_cast<std::uint64_t>(std::find_if(bytes.rbegin(), bytes.rend(), content) - bytes.rbegin());
    zeros += run;
    if (run < length) break;
  }
  return zeros;
}

/// Zeros may follow END as padding. But the last bytes of END itself may also be zeros.
Result<FoundEnd> find_end(RandomAccess& file, std::uint64_t limit) {
  const auto zeros = zeros_before(file, limit);
  if (!zeros) return zeros.error();
  const std::uint64_t content = limit - *zeros;
  for (std::uint64_t own = 0; own <= std::min(*zeros, kEndLength); ++own) {
    if (content + own < kEndLength) continue;
    auto found = end_at(file, content + own - kEndLength);
    if (found || found.error().kind == ErrorKind::limit) return found;
  }
  return truncated("the stream has no intact end: the file was cut short, or its end is damaged", content);
}

/// Other formats, empty files and files that are cut within the first record.
Status check_head(RandomAccess& file) {
  std::array<std::byte, kPrefixBytes> memory;
  const auto head =
      std::span(memory).first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), memory.size())));
  if (auto done = file.read_at(0, head); !done) return done.error();
  return check_is_stream(head, 0, false);
}

}  // namespace

namespace {

/// Reads the record into room(bytes), which is asked twice.
template <class Room>
Result<RecordPrefix> read_into(RandomAccess& file, Allowed allowed, std::uint64_t offset, std::uint64_t limit,
                               const Room& room) {
  if (offset > limit || limit - offset < kPrefixBytes) return corrupt("a record is missing here", offset);
  const std::span<std::byte> head = room(std::size_t{kPrefixBytes});
  if (auto done = file.read_at(offset, head); !done) return done.error();
  const auto prefix = parse_prefix(head, allowed, offset);
  if (!prefix) return prefix.error();
  if (prefix->total_bytes > limit - offset)
    return corrupt("a record is longer than the space for it", offset);
  if (auto done = file.read_at(offset, room(static_cast<std::size_t>(prefix->total_bytes))); !done)
    return done.error();
  return prefix;
}

}  // namespace

Result<RawRecord> read_record(RandomAccess& file, Allowed allowed, std::uint64_t offset,
                              std::uint64_t limit) {
  std::vector<std::byte> record;
  const auto prefix = read_into(file, allowed, offset, limit, [&](std::size_t bytes) {
    record.resize(bytes);
    return std::span(record);
  });
  if (!prefix) return prefix.error();
  return RawRecord{*prefix, std::move(record)};
}

Status read_record(RandomAccess& file, Allowed allowed, std::uint64_t offset, std::uint64_t limit,
                   RecordList& into) {
  const auto prefix =
      read_into(file, allowed, offset, limit, [&](std::size_t bytes) { return into.next(bytes); });
  if (!prefix) return prefix.error();
  into.keep();
  return ok();
}

Result<StoredPart> read_part(RandomAccess& file, const FoundStream& stream, std::uint64_t offset,
                             std::uint64_t limit) {
  const std::uint64_t where = stream.begin + offset;
  const auto record = read_record(file, {.index = true}, where, stream.begin + limit);
  if (!record) return record.error();
  if (record->prefix.tag != stream.end.tag)  // before the body: the order of FORMAT.md, section 5
    return corrupt("a part of the index belongs to another stream", where);
  auto part = parse_index(
      record->bytes, [](auto plans) { return plan_length(plans); }, where, offset);
  if (!part) return part.error();
  if (part->last != (offset == stream.end.last_index))
    return corrupt("the wrong part of the index is marked as the last one", where);
  return StoredPart{*std::move(part), record->bytes.size()};
}

Result<FoundStream> last_stream(RandomAccess& file, std::uint64_t limit) {
  const auto found = find_end(file, limit);
  if (!found) return found.error();
  const std::uint64_t end_of_stream = found->offset + kEndLength;
  if (found->end.stream_bytes > end_of_stream) {
    return truncated("the stream is longer than the file: its beginning is missing", 0);
  }
  const std::uint64_t begin = end_of_stream - found->end.stream_bytes;
  const auto record = read_record(file, {.header = true}, begin, found->offset);
  if (!record) return record.error();
  const auto header = parse_header(record->bytes, begin);
  if (!header) return header.error();
  if (header->original_bytes != kNone && header->original_bytes != found->end.original_bytes) {
    return corrupt("the header gives another original size than the end of the stream", begin);
  }
  return FoundStream{begin, record->bytes.size(), *header, found->end};
}

Status check_id(RandomAccess& file, const FoundStream& stream, std::optional<std::uint64_t> first_digest) {
  const auto header = read_record(file, {.header = true}, stream.begin, stream.begin + stream.header_bytes);
  if (!header) return header.error();
  if (stream_id(header->bytes, first_digest) == stream.end.tag) return ok();
  return corrupt("the beginning and the end belong to different streams", stream.begin);
}

Result<std::vector<FoundStream>> find_streams(RandomAccess& file, std::uint64_t memory) {
  if (auto done = check_head(file); !done) return done.error();
  std::vector<FoundStream> streams;
  std::uint64_t original = 0, listed = 0;
  for (std::uint64_t limit = file.size(); limit > 0; limit = streams.back().begin) {
    auto stream = last_stream(file, limit);
    if (!stream) return stream.error();
    if (stream->end.original_bytes >= kNone - original)
      return corrupt("the originals of all streams together are longer than 2^64", stream->begin);
    original += stream->end.original_bytes;
    listed += sizeof(FoundStream) + stream->header.type.size();
    if (listed > memory) return too_little_memory("the list of streams", listed, memory, stream->begin);
    streams.push_back(*std::move(stream));
  }
  std::ranges::reverse(streams);
  return streams;
}

// ---- The index as a whole

Result<IndexWalk> IndexWalk::begin(RandomAccess& file, const FoundStream& stream) {
  IndexWalk walk(file, stream);
  if (auto done = walk.go_back(); !done) return done.error();
  std::optional<std::uint64_t> first;
  if (!walk.offsets_.empty()) first = walk.part().entries.front().digest;
  if (auto done = check_id(file, stream, first); !done) return done.error();
  return walk;
}

/// A part must end before the first chunk of the part after it. So parts cannot lie inside one another, and
/// no byte is hashed twice.
Status IndexWalk::go_back() {
  std::uint64_t limit = stream_->end_offset();
  for (std::uint64_t at = stream_->end.last_index; at != kNone; at = stored_.part.previous) {
    auto stored = read_part(*file_, *stream_, at, limit);
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
    limit = stored_.part.entries.front().record_offset;
    offsets_.push_back(at);
  }
  return ok();
}

Result<bool> IndexWalk::next() {
  const bool first = !std::exchange(begun_, true);
  if (offsets_.empty()) {
    if (auto done = check_totals(); !done) return done.error();
    return false;
  }
  if (!first) {
    auto stored = read_part(*file_, *stream_, offsets_.back(), stream_->end_offset());
    if (!stored) return stored.error();
    stored_ = *std::move(stored);
  }
  offsets_.pop_back();
  if (auto done = check_part(); !done) return done.error();
  return true;
}

Status IndexWalk::check_part() {
  part_chain_ = chain_;
  if (part().first_chunk != chunks_) return broken("a part of the index begins with another chunk");
  for (const IndexEntry& entry : part().entries) {
    if (entry.original_offset != original_)
      return broken("an entry of the index has a wrong original offset");
    if (entry.original_bytes > stream_->header.largest_chunk)
      return broken("an entry of the index has a longer chunk than the header allows");
    if (auto done = step_over_notes(entry.record_offset); !done) return done;
    after_ = entry.record_offset + entry.stored_bytes;
    original_ += entry.original_bytes;
    chain_ = next_chain(chain_, entry.digest);
  }
  chunks_ += part().entries.size();
  if (auto done = step_over_notes(part().offset); !done) return done;
  after_ += stored_.bytes;
  return ok();
}

Status IndexWalk::check_totals() {
  const EndRecord& end = stream_->end;
  if (chunks_ != end.chunks || original_ != end.original_bytes || chain_ != end.chain)
    return broken("the index lists other chunks than the end of the stream");
  return step_over_notes(stream_->end_offset());
}

/// Only notes may stand between what was read and this offset in the stream.
Status IndexWalk::step_over_notes(std::uint64_t until) {
  while (after_ < until) {
    const std::uint64_t where = stream_->begin + after_;
    const auto record = read_record(*file_, {.note = true}, where, stream_->begin + until);
    if (!record) return record.error();
    const auto note = parse_note(record->bytes, where);
    if (!note) return note.error();
    if (note->tag != stream_->end.tag || note->offset != after_)
      return broken("a note belongs to another place");
    after_ += record->bytes.size();
  }
  return after_ == until ? ok() : Status(broken("records overlap"));
}

Error IndexWalk::broken(const char* what) const {
  return corrupt(what, stream_->begin + after_);
}

}  // namespace tdz
