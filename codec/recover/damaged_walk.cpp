// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/damaged_walk.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "formats/digest.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kUsualHeaderBytes = 256;  // an upper bound: tdz writes headers of 168 bytes

}  // namespace

Result<WalkEvent> DamagedWalk::next() {
  for (;;) {
    if (!stream_) {
      auto more = begin_stream();
      if (!more) return more.error();
      if (!*more) return file_over();
    }
    auto event = take_record();
    if (!event) return event.error();
    if (!*event) continue;
    if (const auto* over = std::get_if<StreamOver>(&**event)) {
      if (account_.is_open()) account_.lose_end(over->original_bytes);
      stream_.reset();
    }
    return std::move(**event);
  }
}

Result<WalkEvent> DamagedWalk::file_over() {
  auto room = account_.leaves_room(file_);
  if (!room) return room.error();
  return WalkEvent(FileOver{*room});
}

// ---- Where a stream begins --------------------------------------------------------------------------------

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
  const std::uint64_t header_bytes = stream.header_record.size();
  account_.begin_stream(begin, header_bytes > 0 ? std::optional(header_bytes) : std::nullopt);
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

/// The region from `place`. It ends where the next known stream begins, or at the end of the known stream
/// that holds `place`, or at the end of the file.
DamagedWalk::Stream DamagedWalk::region_at(std::uint64_t place) const {
  Stream stream;
  stream.begin = place;
  stream.header = permissive_header();
  const auto end = std::ranges::upper_bound(ends_, place, {}, &KnownEnd::behind);
  if (end == ends_.end()) {
    stream.limit = file_.size();
  } else if (end->anchored && end->begin > place) {
    stream.limit = end->seen;
    stream.next_begin = end->begin;
    stream.next_id = end->end.stream;
  } else {
    stream.limit = end->behind();
    const bool is_over = end->headed && end->begin < place;  // a second copy of an END that was already used
    if (!is_over) stream.end = &*end;
  }
  return stream;
}

/// Reads HDR at the walk's place, if it is intact. The stream id is made from HDR and the first chunk's
/// digest (in an empty stream from HDR alone). If the next record, CHK or END, has this id, both belong
/// together.
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
  auto id = id_by_header(file_, *record, *header, place_);
  if (!id) return id.error();
  stream.id = *id;
  return ok();
}

Status DamagedWalk::identify(Stream& stream) {
  if (auto done = part_from_end(stream); !done) return done;
  if (stream.end != nullptr && stream.end->anchored) {
    stream.id = stream.end->end.stream;
    return ok();
  }
  if (!stream.header_record.empty()) {
    auto id = id_by_index(file_, stream.header_record, stream.header, stream.begin, stream.limit, stop_);
    if (!id) return id.error();
    stream.id = *id;
    if (stream.id) return ok();
  }
  // Each round cuts the region before the stream that was found, if that stream begins later. After
  // `kPatience` rounds the first stream in the region is taken at once.
  constexpr int kPatience = 8;
  for (int round = 0;; ++round) {
    auto id = elect(stream, round < kPatience ? commonest_stream : first_stream);
    if (!id) return id.error();
    stream.id = *id;
    if (!stream.id) return ok();
    auto later = begins_later(stream);
    if (!later) return later.error();
    if (!*later) return ok();
  }
}

/// Chooses the region's stream with the function `by`. If bytes were inserted, chunks of the next stream
/// stand before the place where its END says that it begins. Chunks of other streams after that place lie
/// inside its frames and do not count.
Result<std::optional<std::uint64_t>> DamagedWalk::elect(const Stream& stream, Election by) const {
  auto id = by(file_, stream.header, place_, stream.limit, stop_);
  if (!id || !*id || **id == stream.next_id || stream.next_begin >= stream.limit) return id;
  return by(file_, stream.header, place_, stream.next_begin, stop_);
}

/// If the stream has an intact header, but the id in the region's END was made from another header, the
/// stream of that END begins later. Then this stream's region ends before it.
Status DamagedWalk::part_from_end(Stream& stream) const {
  if (stream.header_record.empty() || stream.end == nullptr || !stream.end->first_digest) return ok();
  const std::uint64_t id = stream.end->end.stream;
  if (stream_id(stream.header_record, &*stream.end->first_digest) == id) return ok();
  auto first = first_sight(file_, permissive_header(), id, place_, stream.limit, stop_);
  if (!first) return first.error();
  if (first->where <= place_) return ok();
  stream.end_before(first->where);
  return ok();
}

/// True if the stream with the id `*stream.id` begins later in the region: its first chunk is there, but not
/// where the region's own first chunk would be. Then the region is cut before it and belongs to another
/// stream. If the first chunk is lost, the answer is no: records before the other chunks may lie inside the
/// stream.
Result<bool> DamagedWalk::begins_later(Stream& stream) {
  if (stream.header_record.empty()) {
    auto apart = begins_apart(stream);
    if (!apart || *apart) return apart;
  }
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
  stream.end_before(begin);
  return true;
}

/// True if the stream's own END says that it begins later than the region. Then another stream, which is
/// lost, was before it.
Result<bool> DamagedWalk::begins_apart(Stream& stream) {
  for (std::uint64_t from = place_;;) {
    auto found = scan_.next(RecordKind::end, from, stream.limit);
    if (!found) return found.error();
    if (!*found) return false;
    const auto& [where, record] = **found;
    from = where + 1;
    const auto end = parse_end(record.bytes, where);
    if (!end || end->stream != stream.id) continue;
    const std::uint64_t behind = where + kEndBytes;
    const std::uint64_t begin = behind - std::min(behind, end->stream_bytes);
    if (begin < stream.begin + kLessThanAStream) return false;
    stream.end_before(begin);
    return true;
  }
}

// ---- From record to record --------------------------------------------------------------------------------

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
      account_.add_meta(place_, record.bytes.size());
      return pass_over(record, sound);
    case RecordKind::header:  // the next stream begins here; the END of this one is lost
      return sound && place_ != stream_->begin ? Result<Event>(over()) : search(place_ + 1);
  }
  return search(place_ + 1);
}

Result<DamagedWalk::Event> DamagedWalk::take_chunk(const RawRecord& record) {
  const std::uint64_t where = place_;
  const std::uint64_t frames = where + record.bytes.size();
  auto chunk = parse_chunk(record.bytes, stream_->header, where);
  if (!chunk) note(chunk.error());
  if (!chunk) return search(where + 1);
  if (!is_ours(*chunk)) return search(frames);
  const std::uint64_t behind = frames + chunk->packed_bytes();
  if (auto done = pass_over_inner_ends(frames, behind); !done) return done.error();
  auto follows = record_stands_at(file_, behind, stream_->limit);
  if (!follows) return follows.error();
  place_ = *follows ? behind : frames;  // if bytes are missing, the next record is nearer than `behind`
  account_.add_chunk(*chunk, where, record.bytes.size());
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
  note(chunk->transform);
  return Event(FoundChunk{std::move(*chunk), where, frames, behind <= file_.size()});
}

/// The frames of a chunk go beyond the region's limit. If the chunk is whole, a stream that seems to begin
/// inside its frames is a part of the chunk, and its END is removed from the list. If the frames would end
/// after the end of the file, this is not certain: bytes may have been cut out of the chunk, and real streams
/// may follow. They are left out too, but `may_hide_others` reports it.
Status DamagedWalk::pass_over_inner_ends(std::uint64_t frames, std::uint64_t behind) {
  if (behind <= stream_->limit) return ok();
  auto follows = record_stands_at(file_, behind, file_.size());
  if (!follows) return follows.error();
  if (!*follows && behind <= file_.size()) return ok();
  const auto lies_within = [&](const KnownEnd& known) {
    return known.begin >= frames && known.begin < behind;
  };
  if (std::erase_if(ends_, lies_within) > 0 && behind > file_.size()) stream_->may_hide_others = true;
  const Stream region = region_at(stream_->begin);
  stream_->limit = region.limit;
  stream_->end = region.end;
  stream_->next_begin = region.next_begin;
  stream_->next_id = region.next_id;
  return ok();
}

/// An index part with fewer entries than the maximum is the stream's last one, except if a chunk follows.
Result<DamagedWalk::Event> DamagedWalk::take_index(const RawRecord& record) {
  if (record.prefix.tag != stream_->id) return search(place_ + 1);
  const auto part = parse_index(record.bytes, place_);
  account_.add_index(part ? &*part : nullptr, place_, record.bytes.size());
  if (part && part->entries.size() < kMaxIndexEntries) {
    stream_->original_bytes = part->entries.back().original_offset + part->entries.back().original_bytes;
    stream_->chunks_are_over = true;
  }
  return pass_over(record, part.operator bool());
}

/// Steps over a record. If the record is damaged, its length is used only if another record begins there.
Result<DamagedWalk::Event> DamagedWalk::pass_over(const RawRecord& record, bool sound) {
  const std::uint64_t behind = place_ + record.bytes.size();
  auto follows = sound ? Result<bool>(true) : record_stands_at(file_, behind, stream_->limit);
  if (!follows) return follows.error();
  if (!*follows) return search(place_ + 1);
  place_ = behind;
  return Event();
}

Result<DamagedWalk::Event> DamagedWalk::take_end(const RawRecord& record) {
  const auto end = parse_end(record.bytes, place_);
  if (!end || end->stream != stream_->id) return search(place_ + 1);
  const std::uint64_t where = place_;
  auto seek_is_sound = pass_over_seek(*end);
  if (!seek_is_sound) return seek_is_sound.error();
  account_.end_stream(*end, where, *seek_is_sound);
  return Event(StreamOver{end->original_bytes, end->whole});
}

/// Steps over END and the seek table after it; true if the table is intact. If it is not what END says,
/// another stream may begin at its place.
Result<bool> DamagedWalk::pass_over_seek(const EndRecord& end) {
  const std::uint64_t begin = place_ + kEndBytes, behind = begin + end.seek_bytes;
  place_ = std::min(behind, file_.size());
  if (place_ == behind) {
    std::vector<std::byte> seek(end.seek_bytes);
    if (auto done = file_.read_at(begin, seek); !done && is_fatal(done.error())) return done.error();
    if (seek.empty() || xxh3_64(seek) == end.seek_check) return true;
  }
  const std::uint64_t limit = std::min(place_ + max_record_bytes(RecordKind::header), file_.size());
  auto other = scan_.next({RecordKind::header, RecordKind::chunk}, begin, limit);
  if (!other) return other.error();
  if (*other) place_ = std::min(place_, (*other)->where);
  return false;
}

/// Searches for the next record of this stream from `from` on.
Result<DamagedWalk::Event> DamagedWalk::search(std::uint64_t from) {
  while (stream_->id) {
    auto found = scan_.next({RecordKind::header, RecordKind::chunk, RecordKind::index, RecordKind::end}, from,
                            stream_->limit);
    if (!found) return found.error();
    if (!*found) break;
    const auto& [where, record] = **found;
    auto another = begins_another(record, where);
    if (!another) return another.error();
    if (*another) {
      stream_->end_before(where);
      break;
    }
    if (goes_on_with(record, where)) {
      place_ = where;
      return Event();
    }
    from = where + 1;
  }
  return give_up();
}

/// True for a record of this stream that comes after the chunks already found.
bool DamagedWalk::goes_on_with(const RawRecord& record, std::uint64_t where) const {
  if (record.prefix.kind == RecordKind::header || record.prefix.tag != stream_->id) return false;
  if (record.prefix.kind != RecordKind::chunk) return true;
  const auto chunk = parse_chunk(record.bytes, stream_->header, where);
  return chunk && is_ours(*chunk);
}

/// True if another stream begins with this record. A header or first chunk with this stream's id begins a
/// copy of this stream. A header of another stream begins that stream only if this stream's last chunk was
/// found and ends before it: then the header cannot lie inside a chunk.
Result<bool> DamagedWalk::begins_another(const RawRecord& record, std::uint64_t where) const {
  if (record.prefix.kind == RecordKind::header) {
    const auto header = parse_header(record.bytes, where);
    if (!header || where == stream_->begin) return false;
    auto id = id_by_header(file_, record.bytes, *header, where + record.bytes.size());
    if (!id) return id.error();
    const bool is_whole = stream_->original_bytes == stream_->next_offset && where >= stream_->behind;
    return *id && (*id == stream_->id || is_whole);
  }
  if (record.prefix.kind != RecordKind::chunk || record.prefix.tag != stream_->id) return false;
  const auto chunk = parse_chunk(record.bytes, stream_->header, where);
  return chunk && chunk->number == 0 && stream_->next_number > 1;
}

/// How many bytes of the file the rest of this stream takes, at most: its missing chunks, judged by the
/// chunks that were found, and its index, end and seek table.
DamagedWalk::Rest DamagedWalk::rest_of_stream() const {
  const Stream& stream = *stream_;
  const std::uint64_t all = std::max(stream.original_bytes.value_or(stream.next_offset), stream.next_offset);
  const std::uint64_t bytes = all - stream.next_offset;
  const std::uint64_t more = bytes / kMinChunk + (bytes > 0);  // number of chunks that follow, at most
  const std::uint64_t lost = stream.next_number - stream.chunks + more;
  const std::uint64_t chunks = stream.next_number + more;
  const std::uint64_t parts = chunks / kMaxIndexEntries + 1;
  const std::uint64_t transforms = stream.transform_bytes + (lost > 0 ? kMaxTransformBytes : 0);
  const std::uint64_t frames = stream.frames + lost * stream.most_frames;

  Rest rest;
  rest.chunks = bytes + bytes / 128 + 64 * more;  // incompressible bytes grow by no more than this
  rest.reach = rest.chunks + more * stream.most_record_bytes;
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

/// No further record of this stream was found. The walk continues at the next record of another stream: one
/// that this stream's frames cannot reach, or a chunk of the stream of the region's END.
Result<DamagedWalk::Event> DamagedWalk::give_up() {
  StreamOver known = over();
  if (stream_->is_foreign) {
    place_ = stream_->limit;
    return Event(known);
  }
  const std::uint64_t from = std::min(std::max(place_, stream_->behind), stream_->limit);
  auto next = next_of_others(from);
  if (!next) return next.error();
  // If bytes were cut out, the next stream seems to begin inside this one.
  const std::uint64_t limit = std::max(from, std::min(stream_->limit, stream_->next_begin));
  const std::uint64_t behind = *next ? (*next)->where : limit;
  // If the next record is a stream's first chunk, that stream can have lost only its header before it. For
  // another chunk, its number and offset will show what is missing.
  if (*next && (*next)->is_chunk) {
    known.more_is_lost |= (*next)->is_first && is_too_much(from + kUsualHeaderBytes, behind);
    rest_is_of_end_ = region_ends_with_another() && (*next)->stream == stream_->end->end.stream;
  } else {
    known.more_is_lost |= is_too_much(from, behind) || (!*next && region_ends_with_another());
  }
  place_ = behind;
  if (*next && (*next)->is_chunk)
    place_ = std::min(account_.tail_end(stream_->original_bytes).value_or(from), behind);
  return Event(known);
}

Result<std::optional<DamagedWalk::Sight>> DamagedWalk::next_of_others(std::uint64_t from) {
  const Stream& stream = *stream_;
  std::optional<std::uint64_t> reach;  // how far this stream's frames may go; nothing: through the region
  const bool are_over = stream.chunks_are_over || stream.original_bytes == stream.next_offset;
  if (stream.original_bytes) reach = from + (are_over ? 0 : rest_of_stream().reach);
  for (std::uint64_t at = from;;) {
    auto found = scan_.next({RecordKind::header, RecordKind::chunk}, at, stream.limit);
    if (!found) return found.error();
    if (!*found) return std::optional<Sight>();
    const auto& [where, record] = **found;
    at = where + 1;
    const bool is_beyond = reach && where >= *reach;
    if (record.prefix.kind == RecordKind::header) {
      if (is_beyond) return std::optional(Sight{where, false, false, 0});
      continue;
    }
    const auto chunk = parse_chunk(record.bytes, permissive_header(), where);
    if (!chunk || chunk->stream == stream.id) continue;
    const bool is_of_end = region_ends_with_another() && chunk->stream == stream.end->end.stream;
    if (is_beyond || is_of_end) return std::optional(Sight{where, true, chunk->number == 0, chunk->stream});
  }
}

void DamagedWalk::note(const Error& error) {
  if (!unsupported_ && error.kind == ErrorKind::unsupported) unsupported_ = error;
}

/// Adds the transform's length in the index. The index lists a transform again only after many others.
void DamagedWalk::note(const Transform& transform) {
  constexpr std::size_t kLookedAt = 64;
  auto& known = stream_->transforms;
  if (std::ranges::find(known, transform) != known.end()) return;
  stream_->transform_bytes += 4 + transform.step_count * kMaxStepBytes;
  if (known.size() < kLookedAt) known.push_back(transform);
}

/// True if the chunk belongs to this stream and comes after the chunks already found, and if its offset fits
/// its number: each chunk between has at least one byte and at most the largest length.
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

bool DamagedWalk::region_ends_with_another() const {
  return stream_->end != nullptr && !region_has_its_end();
}

StreamOver DamagedWalk::over() const {
  StreamOver known{stream_->original_bytes, std::nullopt, stream_->may_hide_others};
  if (region_has_its_end()) {
    known.original_bytes = stream_->end->end.original_bytes;
    known.whole = stream_->end->end.whole;
  }
  return known;
}

}  // namespace tdz
