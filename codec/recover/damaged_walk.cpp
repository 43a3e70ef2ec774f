// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/damaged_walk.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kUsualHeaderBytes = 256;  // and less: tdz writes 168

}  // namespace

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
  const bool rest_is_of_end = std::exchange(rest_is_of_end_, false);
  Stream stream = region_at(begin);
  if (auto done = read_header(stream); !done) return done.error();
  if (!stream.id && rest_is_of_end && stream.end != nullptr) stream.id = stream.end->end.stream;
  if (!stream.id && !stream.is_foreign) {
    if (auto done = identify(stream); !done) return done.error();
  }
  stream_ = std::move(stream);
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
  const auto end = std::ranges::upper_bound(ends_, place, {}, &KnownEnd::behind);
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

/// A sound HDR, and behind it the CHK (or END) that its id was made of: the two vouch for one another.
Status DamagedWalk::read_header(Stream& stream) {
  auto record = read_record(file_, RecordKind::header, place_, file_.size());
  if (!record) return is_fatal(record.error()) ? Status(record.error()) : ok();
  const auto header = parse_header(*record, place_);
  if (!header) {
    note(header.error());
    stream.is_foreign = header.error().kind == ErrorKind::unsupported;
    return ok();
  }
  stream.header = *header;
  stream.header_record = *record;
  if (header->original_bytes != kUnknown) stream.original_bytes = header->original_bytes;
  place_ += record->size();
  const auto next = record_behind_header(file_, place_, file_.size());
  if (!next) return is_fatal(next.error()) ? Status(next.error()) : ok();
  std::optional<std::uint64_t> id;
  if (const auto chunk = parse_chunk(next->bytes, *header, place_)) id = stream_id(*record, &chunk->digest);
  if (next->prefix.kind == RecordKind::end) id = stream_id(*record, nullptr);
  if (id == next->prefix.tag) stream.id = id;
  // Its own end says that it begins farther on, where bytes were put in; but there no header stands then.
  const auto end = std::ranges::upper_bound(ends_, stream.begin, {}, &KnownEnd::behind);
  if (end == ends_.end() || end->headed) return ok();
  const bool is_its_own =
      stream.id ? end->end.stream == *stream.id : end->end.original_bytes == stream.original_bytes;
  if (!is_its_own) return ok();
  stream.limit = end->behind();
  stream.end = &*end;
  return ok();
}

Status DamagedWalk::identify(Stream& stream) {
  if (stream.end != nullptr && stream.end->anchored) {
    stream.id = stream.end->end.stream;
    return ok();
  }
  for (;;) {
    auto id = commonest_stream(file_, stream.header, place_, stream.limit, stop_);
    if (!id) return id.error();
    stream.id = *id;
    if (!stream.id) return ok();
    auto later = begins_later(stream);
    if (!later) return later.error();
    if (!*later) return ok();
  }
}

/// Whose first chunk is there, but not where the region's stream has its own, begins later: the region ends
/// before it, and belongs to somebody else. Of a stream whose beginning is lost nothing can be said: what
/// stands before its chunks may lie within it.
Result<bool> DamagedWalk::begins_later(Stream& stream) {
  auto first = first_sight(file_, stream.header, *stream.id, place_, stream.limit, stop_);
  if (!first) return first.error();
  if (first->number != 0) return false;
  const bool is_others =
      !stream.header_record.empty() && stream_id(stream.header_record, &first->digest) != stream.id;
  const bool is_far = stream.header_record.empty() && first->where - stream.begin > kUsualHeaderBytes;
  if (!first->others_before && !is_others && !is_far) return false;
  std::uint64_t begin = first->where - std::min(first->where, kUsualHeaderBytes);
  for (std::uint64_t from = place_; from < first->where;) {
    auto header = scan_.next(RecordKind::header, from, first->where);
    if (!header) return header.error();
    if (!*header) break;
    from = (*header)->where + (*header)->record.bytes.size();
    if (stream_id((*header)->record.bytes, &first->digest) == stream.id) begin = (*header)->where;
  }
  if (begin <= stream.begin) return false;
  stream.limit = begin;
  stream.end = nullptr;
  return true;
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
  if (!chunk) note(chunk.error());
  if (!chunk || !is_ours(*chunk)) return search(frames);
  const std::uint64_t behind = frames + chunk->packed_bytes();
  if (auto done = pass_over_inner_ends(frames, behind); !done) return done.error();
  auto follows = record_stands_at(file_, behind, stream_->limit);
  if (!follows) return follows.error();
  place_ = *follows ? behind : frames;  // if bytes are missing, the next record stands nearer than it should
  stream_->behind = behind;
  stream_->next_number = chunk->number + 1;
  stream_->next_offset = chunk->original_offset + chunk->original_bytes;
  if (stream_->original_bytes && *stream_->original_bytes < stream_->next_offset)
    stream_->original_bytes.reset();
  ++stream_->chunks;
  stream_->most_record_bytes = std::max(stream_->most_record_bytes, frames - where);
  stream_->frames += chunk->frames.size();
  stream_->packed_bytes += chunk->packed_bytes();
  stream_->most_frames = std::max<std::uint64_t>(stream_->most_frames, chunk->frames.size());
  if (std::ranges::find(stream_->transforms, chunk->transform) == stream_->transforms.end())
    stream_->transforms.push_back(chunk->transform);
  return Event(FoundChunk{std::move(*chunk), where, frames, behind <= file_.size()});
}

/// A chunk is whole, or reaches beyond the file's end: a stream that seems to begin in its frames lies within
/// it.
Status DamagedWalk::pass_over_inner_ends(std::uint64_t frames, std::uint64_t behind) {
  if (behind <= stream_->limit) return ok();
  auto follows = record_stands_at(file_, behind, file_.size());
  if (!follows) return follows.error();
  if (!*follows && behind <= file_.size()) return ok();
  std::erase_if(ends_, [&](const KnownEnd& known) { return known.begin >= frames && known.begin < behind; });
  const Stream region = region_at(stream_->begin);
  stream_->limit = region.limit;
  stream_->end = region.end;
  return ok();
}

/// An index of less than the most entries is the stream's last, unless a chunk follows.
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

/// What of this stream may still stand in a region, at most. Its missing chunks take their share, by what
/// those that were found took, and so do its index, end and seek table.
DamagedWalk::Rest DamagedWalk::rest_of_stream() const {
  const Stream& stream = *stream_;
  const std::uint64_t all = std::max(stream.original_bytes.value_or(stream.next_offset), stream.next_offset);
  const std::uint64_t bytes = all - stream.next_offset;
  const std::uint64_t more = bytes / kMinChunk + (bytes > 0);  // chunks, at most
  const std::uint64_t lost = stream.next_number - stream.chunks + more;
  const std::uint64_t chunks = stream.next_number + more;
  const std::uint64_t parts = chunks / kMaxIndexEntries + 1;
  std::uint64_t transforms = lost > 0 ? kMaxTransformBytes : 0;
  for (const Transform& transform : stream.transforms) transforms += 4 + transform.step_count * kMaxStepBytes;
  const std::uint64_t frames = stream.frames + lost * stream.most_frames;

  Rest rest;
  rest.chunks = bytes + bytes / 128 + 64 * more;  // what does not shrink grows by no more
  if (stream.packed_bytes > 0) {
    const std::uint64_t packed_share = stream.packed_bytes / (stream.next_offset / 1024 + 1) + 1;
    rest.chunks = std::min(rest.chunks, 2 * (bytes / 1024 + 1) * packed_share);
  }
  rest.chunks += more * stream.most_record_bytes;
  rest.tail = parts * (kPrefixBytes + 64 + transforms) + chunks * kIndexEntryBytes + kEndBytes +
              seek_table_bytes(static_cast<std::size_t>(2 + chunks + frames + parts));
  return rest;
}

bool DamagedWalk::is_too_much(std::uint64_t from, std::uint64_t limit) const {
  from = std::max(from, stream_->behind);
  const Rest rest = rest_of_stream();
  return limit > from && limit - from > rest.chunks + rest.tail;
}

Result<DamagedWalk::Event> DamagedWalk::give_up() {
  const Stream& stream = *stream_;
  const bool its_end = region_has_its_end();
  const bool too_much = is_too_much(place_, stream.limit);
  if (stream.original_bytes == stream.next_offset && (!its_end || too_much)) return give_up_whole();
  StreamOver known = over();
  if (its_end || !stream.original_bytes) {
    place_ = stream.limit;
    return Event(known);
  }
  // Farther on than what is missing can reach, a header begins another stream.
  const std::uint64_t behind = std::max(place_, stream.behind) + rest_of_stream().chunks;
  auto header = scan_.next(RecordKind::header, std::min(behind, stream.limit), stream.limit);
  if (!header) return header.error();
  auto end = *header ? Result<std::uint64_t>((*header)->where) : last_content(place_, stream.limit);
  if (!end) return end.error();
  known.more_is_lost = is_too_much(place_, *end) || (!*header && stream.end != nullptr);
  place_ = *header ? (*header)->where : stream.limit;
  return Event(known);
}

/// Where all of the stream has come and only its end is damaged, no frames are left for a record to lie
/// within: what comes next is the next stream's. What cannot be the rest of this one, and shows no record, is
/// lost.
Result<DamagedWalk::Event> DamagedWalk::give_up_whole() {
  const Stream& stream = *stream_;
  place_ = std::min(std::max(place_, stream.behind), stream.limit);  // its last frames may hold streams, too
  auto header = scan_.next(RecordKind::header, place_, stream.limit);
  if (!header) return header.error();
  auto others = chunk_of_others(place_, *header ? (*header)->where : stream.limit);
  if (!others) return others.error();
  StreamOver known = over();
  if (*others || (!*header && stream.end != nullptr)) {
    rest_is_of_end_ = !*header;
    // Before its first chunk the next stream has no more than a header.
    const bool at_its_first = *others && (*others)->number == 0;
    known.more_is_lost = at_its_first && is_too_much(place_ + kUsualHeaderBytes, (*others)->where);
    return Event(known);
  }
  auto behind = *header ? Result<std::uint64_t>((*header)->where) : last_content(place_, stream.limit);
  if (!behind) return behind.error();
  known.more_is_lost = is_too_much(place_, *behind);
  place_ = *header ? (*header)->where : stream.limit;
  return Event(known);
}

Result<std::optional<FirstSight>> DamagedWalk::chunk_of_others(std::uint64_t from, std::uint64_t limit) {
  for (;;) {
    auto found = scan_.next(RecordKind::chunk, from, limit);
    if (!found) return found.error();
    if (!*found) return std::optional<FirstSight>();
    const auto& [where, record] = **found;
    from = where + record.bytes.size();
    const auto chunk = parse_chunk(record.bytes, permissive_header(), where);
    if (chunk && chunk->stream != stream_->id)
      return std::optional(FirstSight{where, chunk->number, chunk->digest, false});
  }
}

/// Where the zeros begin that a region ends with, if it is the file's last; else its end.
Result<std::uint64_t> DamagedWalk::last_content(std::uint64_t from, std::uint64_t limit) {
  if (limit < file_.size()) return limit;
  auto zeros = padding_before(file_, limit);
  if (!zeros) return zeros.error();
  return std::max(from, limit - *zeros);
}

void DamagedWalk::note(const Error& error) {
  if (!unsupported_ && error.kind == ErrorKind::unsupported) unsupported_ = error;
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

bool DamagedWalk::region_has_its_end() const {
  return stream_->end != nullptr && stream_->end->end.stream == stream_->id;
}

StreamOver DamagedWalk::over() const {
  if (region_has_its_end()) {
    return {stream_->end->end.original_bytes, stream_->end->end.whole};
  }
  return {stream_->original_bytes, std::nullopt};
}

}  // namespace tdz
