// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/damaged_walk.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tdz {

using namespace formats;

Result<WalkEvent> DamagedWalk::next() {
  for (;;) {
    if (!stream_) {
      auto more = begin_stream();
      if (!more) return more.error();
      if (!*more) return WalkEvent(FileOver{});
    }
    auto event = take_record();
    if (!event) return event.error();
    if (!*event) continue;
    if (std::holds_alternative<StreamOver>(**event)) stream_.reset();
    return std::move(**event);
  }
}

// ---- Where a stream begins
// ----------------------------------------------------------------------------------------

Result<bool> DamagedWalk::begin_stream() {
  if (any_stream_) {
    if (auto done = skip_zeros(); !done) return done.error();
  }
  if (place_ >= file_.size()) return false;
  any_stream_ = true;
  const std::uint64_t begin = place_;
  Stream stream = region_at(begin);
  if (auto done = read_header(stream); !done) return done.error();
  if (!stream.id) {
    if (auto done = identify(stream); !done) return done.error();
  }
  stream_ = stream;
  return true;
}

Status DamagedWalk::skip_zeros() {
  std::array<std::byte, 4096> block;
  while (place_ < file_.size()) {
    const auto length = std::min<std::uint64_t>(block.size(), file_.size() - place_);
    const auto bytes = std::span(block).first(static_cast<std::size_t>(length));
    if (auto done = file_.read_at(place_, bytes); !done) return done;
    const auto content = std::ranges::find_if(bytes, [](std::byte b) { return b != std::byte{0}; });
    place_ += static_cast<std::uint64_t>(content - bytes.begin());
    if (content != bytes.end()) break;
  }
  return ok();
}

/// A region goes to the next stream that is known, or is that stream, or all that is left.
DamagedWalk::Stream DamagedWalk::region_at(std::uint64_t place) const {
  Stream stream;
  stream.begin = place;
  stream.header = permissive_header();
  const auto end = std::ranges::find_if(ends_, [&](const KnownEnd& known) { return known.behind() > place; });
  if (end == ends_.end()) {
    stream.limit = file_.size();
  } else if (end->anchored && end->begin > place) {
    stream.limit = end->begin;
  } else {
    stream.limit = end->behind();
    stream.end = &*end;
  }
  return stream;
}

/// A sound HDR, and behind it the CHK (or END) that its id was made of: the two vouch for one another. Error
/// unsupported: the stream is of a later version.
Status DamagedWalk::read_header(Stream& stream) {
  auto record = read_record(file_, RecordKind::header, place_, stream.limit);
  if (!record) return is_fatal(record.error()) ? Status(record.error()) : ok();
  const auto header = parse_header(*record, place_);
  if (!header) return header.error().kind == ErrorKind::unsupported ? Status(header.error()) : ok();
  stream.header = *header;
  if (header->original_bytes != kUnknown) stream.original_bytes = header->original_bytes;
  place_ += record->size();
  const auto next = read_record(file_, place_, stream.limit);
  if (!next) return is_fatal(next.error()) ? Status(next.error()) : ok();
  std::optional<std::uint64_t> id;
  if (const auto chunk = parse_chunk(next->bytes, *header, place_)) id = stream_id(*record, &chunk->digest);
  if (next->prefix.kind == RecordKind::end) id = stream_id(*record, nullptr);
  if (id == next->prefix.tag) stream.id = id;
  return ok();
}

Status DamagedWalk::identify(Stream& stream) {
  if (stream.end != nullptr && stream.end->anchored) {
    stream.id = stream.end->end.stream;
    return ok();
  }
  auto id = commonest_stream(file_, stream.header, place_, stream.limit);
  if (!id) return id.error();
  stream.id = *id;
  return ok();
}

// ---- From record to record
// ----------------------------------------------------------------------------------------

Result<DamagedWalk::Event> DamagedWalk::take_record() {
  if (place_ >= stream_->limit) return Event(over());
  auto record = read_record(file_, place_, stream_->limit);
  if (record) return take(*record);
  if (is_fatal(record.error())) return record.error();
  return search(place_);
}

Result<DamagedWalk::Event> DamagedWalk::take(const RawRecord& record) {
  const bool sound = record_body(record.bytes, place_).operator bool();
  switch (record.prefix.kind) {
    case RecordKind::chunk:
      return take_chunk(record);
    case RecordKind::index:
      return take_index(record);
    case RecordKind::end:
      return take_end(record);
    case RecordKind::meta:
      place_ += record.bytes.size();
      return Event();
    case RecordKind::header:  // the stream before it has lost its end, and this one begins
      return sound && place_ != stream_->begin ? Result<Event>(over()) : search(place_);
  }
  return search(place_);
}

Result<DamagedWalk::Event> DamagedWalk::take_chunk(const RawRecord& record) {
  const std::uint64_t where = place_;
  const std::uint64_t frames = where + record.bytes.size();
  auto chunk = parse_chunk(record.bytes, stream_->header, where);
  if (!chunk || !is_ours(*chunk)) return search(frames);
  const std::uint64_t behind = frames + chunk->packed_bytes();
  auto follows = record_stands_at(file_, behind, stream_->limit);
  if (!follows) return follows.error();
  place_ = *follows ? behind : frames;  // if bytes are missing, the next record stands nearer than it should
  stream_->next_number = chunk->number + 1;
  stream_->next_offset = chunk->original_offset + chunk->original_bytes;
  return Event(FoundChunk{std::move(*chunk), where, frames, behind <= file_.size()});
}

/// An index of less than the most entries is the stream's last.
Result<DamagedWalk::Event> DamagedWalk::take_index(const RawRecord& record) {
  if (record.prefix.tag != stream_->id) return search(place_);
  const auto part = parse_index(record.bytes, place_);
  place_ += record.bytes.size();
  if (part && part->entries.size() < kMaxIndexEntries) {
    stream_->original_bytes = part->entries.back().original_offset + part->entries.back().original_bytes;
  }
  return Event();
}

Result<DamagedWalk::Event> DamagedWalk::take_end(const RawRecord& record) {
  const auto end = parse_end(record.bytes, place_);
  if (!end || end->stream != stream_->id) return search(place_);
  place_ += kEndBytes + end->seek_bytes;
  return Event(StreamOver{end->original_bytes, end->whole});
}

/// The thread is lost: the next chunk of this stream, wherever it stands.
Result<DamagedWalk::Event> DamagedWalk::search(std::uint64_t from) {
  while (stream_->id) {
    auto found = scan_.next(RecordKind::chunk, from, stream_->limit);
    if (!found) return found.error();
    if (!*found) break;
    const auto chunk = parse_chunk((*found)->record.bytes, stream_->header, (*found)->where);
    if (chunk && is_ours(*chunk)) {
      place_ = (*found)->where;
      return Event();
    }
    from = (*found)->where + 1;
  }
  return give_up();
}

/// Where all of the stream has come and only its end is damaged, no frames are left for a header to lie
/// within: the next one begins the next stream.
Result<DamagedWalk::Event> DamagedWalk::give_up() {
  const Event event(over());
  std::uint64_t next = stream_->limit;
  if (stream_->original_bytes == stream_->next_offset) {
    auto header = scan_.next(RecordKind::header, place_, stream_->limit);
    if (!header) return header.error();
    if (*header) next = (*header)->where;
  }
  place_ = next;
  return event;
}

/// The right stream, and farther on in it: as many bytes on as the numbers in between allow.
bool DamagedWalk::is_ours(const ChunkRecord& chunk) const {
  const Stream& stream = *stream_;
  if (chunk.stream != stream.id || chunk.number < stream.next_number) return false;
  if (chunk.original_offset < stream.next_offset) return false;
  const std::uint64_t numbers = chunk.number - stream.next_number;
  const std::uint64_t bytes = chunk.original_offset - stream.next_offset;
  return bytes >= numbers && bytes / stream.header.largest_chunk <= numbers && (numbers > 0 || bytes == 0);
}

StreamOver DamagedWalk::over() const {
  if (stream_->end != nullptr && stream_->end->end.stream == stream_->id) {
    return {stream_->end->end.original_bytes, stream_->end->end.whole};
  }
  return {stream_->original_bytes, std::nullopt};
}

}  // namespace tdz
