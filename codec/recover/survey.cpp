// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/survey.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "codec/recover/poll.hpp"

namespace tdz {

using namespace formats;

namespace {

/// True if an intact record of this kind and this stream stands at `offset`. HDR does not hold its stream's
/// id; for it only the kind is compared.
Result<bool> stands_at(RandomAccess& file, RecordKind kind, std::uint64_t stream, std::uint64_t offset,
                       std::uint64_t limit) {
  auto record = read_record(file, offset, limit);
  if (!record) return is_fatal(record.error()) ? Result<bool>(record.error()) : Result<bool>(false);
  const bool right =
      record->prefix.kind == kind && (kind == RecordKind::header || record->prefix.tag == stream);
  return right && record_body(record->bytes, offset).operator bool();
}

/// The offset at which END says that its stream begins. If bytes are missing, this may lie before the file;
/// it is then a number close to 2^64.
std::uint64_t said_begin(const KnownEnd& known) {
  return known.offset + kEndBytes - known.end.stream_bytes;
}

/// The stream's first index part, found from END through the links between parts; offsets count from HDR. In
/// a hostile file many ENDs may lead to the same parts, so at most `parts_left` parts are read.
Result<std::optional<IndexPart>> first_part(RandomAccess& file, const KnownEnd& known,
                                            std::uint64_t& parts_left) {
  using Part = std::optional<IndexPart>;
  for (std::uint64_t at = known.end.last_index; parts_left > 0; --parts_left) {
    auto part = read_part(file, said_begin(known), at, known.offset);
    if (!part) return is_fatal(part.error()) ? Result<Part>(part.error()) : Result<Part>(Part());
    if (part->stream != known.end.stream) return Part();
    if (part->previous == kUnknown) return Part(*std::move(part));
    if (part->previous >= at) return Part();
    at = part->previous;
  }
  return Part();
}

/// The place of the first chunk that stands where the index says. Offsets count from `begin`, which may lie
/// before the file.
Result<std::optional<std::uint64_t>> place_of_listed(RandomAccess& file, const IndexPart& part,
                                                     std::uint64_t begin, std::uint64_t limit) {
  using Place = std::optional<std::uint64_t>;
  constexpr std::size_t kLookedAt = 16;
  for (const IndexEntry& entry : std::span(part.entries).first(std::min(kLookedAt, part.entries.size()))) {
    const std::uint64_t place = begin + entry.record_offset;
    if (place >= limit) continue;
    auto chunk = stands_at(file, RecordKind::chunk, part.stream, place, limit);
    if (!chunk) return chunk.error();
    if (*chunk) return Place(place);
  }
  return Place();
}

Status find_listed_chunk(RandomAccess& file, KnownEnd& known, std::uint64_t& parts_left) {
  auto part = first_part(file, known, parts_left);
  if (!part) return part.error();
  if (!*part) return ok();
  known.first_digest = (*part)->entries.front().digest;
  auto place = place_of_listed(file, **part, said_begin(known), known.offset);
  if (!place) return place.error();
  known.anchored = place->has_value();
  known.seen = place->value_or(0);
  return ok();
}

void set_head(KnownEnd& known, std::uint64_t place) {
  known.begin = known.seen = place;
  known.headed = known.anchored = true;
}

/// Checks whether the stream is where its END says: HDR stands there, or a chunk stands where the index lists
/// it. (Offsets in the index count from HDR.)
Status anchor(RandomAccess& file, KnownEnd& known, std::uint64_t& parts_left) {
  auto header = stands_at(file, RecordKind::header, 0, known.begin, known.offset);
  if (!header) return header.error();
  if (*header && known.begin == said_begin(known)) set_head(known, known.begin);
  const bool is_enough = known.headed || known.end.last_index == kUnknown;
  return is_enough ? ok() : find_listed_chunk(file, known, parts_left);
}

}  // namespace

Result<std::optional<std::uint64_t>> id_by_header(RandomAccess& file,
                                                  std::span<const std::byte> header_record,
                                                  const StreamHeader& header, std::uint64_t behind) {
  using Id = std::optional<std::uint64_t>;
  const auto next = record_behind_header(file, behind, file.size());
  if (!next) return is_fatal(next.error()) ? Result<Id>(next.error()) : Result<Id>(Id());
  Id id;
  if (const auto chunk = parse_chunk(next->bytes, header, behind))
    id = stream_id(header_record, &chunk->digest);
  if (parse_end(next->bytes, behind)) id = stream_id(header_record, nullptr);
  return id == next->prefix.tag ? id : Id();
}

Result<std::optional<std::uint64_t>> id_by_index(RandomAccess& file, std::span<const std::byte> header_record,
                                                 const StreamHeader& header, std::uint64_t begin,
                                                 std::uint64_t limit, const std::stop_token& stop) {
  using Id = std::optional<std::uint64_t>;
  RecordScan scan(file, stop);
  for (std::uint64_t from = begin + header_record.size();;) {
    auto found = scan.next(RecordKind::index, from, limit);
    if (!found) return found.error();
    if (!*found) return Id();
    const auto& [where, record] = **found;
    from = where + 1;
    const auto part = parse_index(record.bytes, where);
    if (!part || part->previous != kUnknown) continue;
    if (stream_id(header_record, &part->entries.front().digest) != part->stream) continue;
    if (header.original_bytes != kUnknown) return Id(part->stream);
    auto place = place_of_listed(file, *part, begin, where);
    if (!place) return place.error();
    if (*place) return Id(part->stream);
  }
}

/// A header belongs to the first chunk with number 0 after it, also if bytes were inserted between them.
Result<KnownHeaders> KnownHeaders::find(RandomAccess& file, const std::stop_token& stop) {
  constexpr std::size_t kMaxAlone = 4096;  // no more than 16 MB
  KnownHeaders headers;
  RecordScan scan(file, stop);
  std::optional<ScannedRecord> last;
  for (std::uint64_t from = 0;;) {
    auto found = scan.next({RecordKind::header, RecordKind::chunk}, from, file.size());
    if (!found) return found.error();
    if (!*found) break;
    from = (*found)->where + 1;
    if ((*found)->record.prefix.kind == RecordKind::header) {
      if (last && headers.alone_.size() < kMaxAlone) headers.alone_.push_back(std::move(*last));
      last = std::move(**found);
      continue;
    }
    const auto chunk = parse_chunk((*found)->record.bytes, permissive_header(), (*found)->where);
    if (!last || !chunk || chunk->number != 0) continue;
    if (stream_id(last->record.bytes, &chunk->digest) != chunk->stream) continue;
    headers.entries_.push_back({chunk->stream, last->where});
    last.reset();
  }
  if (last) headers.alone_.push_back(std::move(*last));
  std::ranges::sort(headers.entries_);
  return headers;
}

std::optional<std::uint64_t> KnownHeaders::of(const KnownEnd& known) const {
  const auto behind = std::ranges::lower_bound(entries_, Entry{known.end.stream, known.offset});
  if (behind != entries_.begin() && std::prev(behind)->stream == known.end.stream)
    return std::prev(behind)->where;
  if (!known.first_digest) return std::nullopt;
  const auto is_its_own = [&](const ScannedRecord& header) {
    return header.where < known.offset &&
           stream_id(header.record.bytes, &*known.first_digest) == known.end.stream;
  };
  std::optional<std::uint64_t> nearest;
  const auto distance = [&](std::uint64_t place) {
    return std::max(place, known.begin) - std::min(place, known.begin);
  };
  for (const ScannedRecord& header : alone_) {
    if (!is_its_own(header)) continue;
    if (!nearest || distance(header.where) <= distance(*nearest)) nearest = header.where;
  }
  return nearest;
}

namespace {

/// True if inserted or missing bytes have moved this stream's header away from the place that END names. The
/// other possibility: the stream's header is lost, and this one is a copy inside the frames of an earlier
/// stream. Then the END of that earlier stream comes before the first chunk.
Result<bool> has_moved(RandomAccess& file, const KnownEnd& known, std::uint64_t header,
                       const std::stop_token& stop) {
  constexpr std::uint64_t kReach = 1u << 20;
  if (!known.anchored || header >= known.begin) return true;
  if (known.begin - header > kReach) return false;
  RecordScan scan(file, stop);
  auto end = scan.next(RecordKind::end, header, known.begin);
  if (!end) return end.error();
  return !end->has_value();
}

}  // namespace

Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file, const std::stop_token& stop) {
  constexpr std::uint64_t kLeastPartBytes = 64;
  std::uint64_t parts_left = file.size() / kLeastPartBytes;
  std::vector<KnownEnd> ends;
  std::optional<KnownHeaders> headers;  // searched for only if a header is not in its place
  for (std::uint64_t limit = file.size(); limit > 0;) {
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    auto found = find_end(file, limit);
    if (!found && is_fatal(found.error())) return found.error();
    if (!found) break;
    const std::uint64_t behind = found->offset + kEndBytes;
    KnownEnd known{.end = found->end,
                   .offset = found->offset,
                   .begin = behind - std::min(behind, found->end.stream_bytes)};
    if (auto done = anchor(file, known, parts_left); !done) return done.error();
    if (!known.headed) {
      if (!headers) {
        auto all = KnownHeaders::find(file, stop);
        if (!all) return all.error();
        headers = *std::move(all);
      }
      if (const auto header = headers->of(known)) {
        auto moved = has_moved(file, known, *header, stop);
        if (!moved) return moved.error();
        if (*moved) set_head(known, *header);
      }
    }
    ends.push_back(known);
    limit = known.begin;
  }
  std::ranges::reverse(ends);
  return ends;
}

Result<bool> record_stands_at(RandomAccess& file, std::uint64_t offset, std::uint64_t limit) {
  if (offset >= limit) return offset == limit;
  if (limit - offset < kPrefixBytes) return false;
  std::array<std::byte, kPrefixBytes> head;
  if (auto done = file.read_at(offset, head); !done) return done.error();
  return parse_prefix(head, offset).operator bool();
}

/// Calls visit(chunk, where, bytes) for each chunk and steps over the whole chunk, until visit returns false.
template <class Visit>
Status for_each_whole(RandomAccess& file, const StreamHeader& header, std::uint64_t from, std::uint64_t limit,
                      const std::stop_token& stop, const Visit& visit) {
  RecordScan scan(file, stop);
  for (;;) {
    auto found = scan.next(RecordKind::chunk, from, limit);
    if (!found) return found.error();
    if (!*found) return ok();
    const auto& [where, record] = **found;
    from = where + record.bytes.size();
    const auto chunk = parse_chunk(record.bytes, header, where);
    if (!chunk) continue;
    const std::uint64_t behind = from + chunk->packed_bytes();
    if (!visit(*chunk, where, std::min(behind, limit) - where)) return ok();
    auto follows = record_stands_at(file, behind, limit);
    if (!follows) return follows.error();
    if (*follows) from = behind;
  }
}

Result<std::optional<std::uint64_t>> commonest_stream(RandomAccess& file, const StreamHeader& header,
                                                      std::uint64_t from, std::uint64_t limit,
                                                      const std::stop_token& stop) {
  Poll poll;
  const auto vote = [&](const ChunkRecord& chunk, std::uint64_t, std::uint64_t bytes) {
    poll.add(chunk.stream, bytes);
    return true;
  };
  if (auto done = for_each_whole(file, header, from, limit, stop, vote); !done) return done.error();
  return poll.winner();
}

Result<std::optional<std::uint64_t>> first_stream(RandomAccess& file, const StreamHeader& header,
                                                  std::uint64_t from, std::uint64_t limit,
                                                  const std::stop_token& stop) {
  std::optional<std::uint64_t> first;
  const auto look = [&](const ChunkRecord& chunk, std::uint64_t, std::uint64_t) {
    first = chunk.stream;
    return false;
  };
  if (auto done = for_each_whole(file, header, from, limit, stop, look); !done) return done.error();
  return first;
}

Result<FirstSight> first_sight(RandomAccess& file, const StreamHeader& header, std::uint64_t stream,
                               std::uint64_t from, std::uint64_t limit, const std::stop_token& stop) {
  FirstSight sight;
  const auto look = [&](const ChunkRecord& chunk, std::uint64_t where, std::uint64_t) {
    if (chunk.stream == stream) {
      sight = {where, chunk.number, chunk.digest, sight.others_before};
      return false;
    }
    return sight.others_before = true;
  };
  if (auto done = for_each_whole(file, header, from, limit, stop, look); !done) return done.error();
  return sight;
}

StreamHeader permissive_header() {
  StreamHeader header;
  header.largest_chunk = kMaxChunk;
  header.largest_frame = kMaxChunk;
  return header;
}

}  // namespace tdz
