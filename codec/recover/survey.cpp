// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/survey.hpp"

#include <algorithm>
#include <array>

#include "codec/recover/poll.hpp"

namespace tdz {

using namespace formats;

namespace {

/// A sound record of this kind and tag at `offset`? HDR's tag is no stream id, so there the kind must do.
Result<bool> stands_at(RandomAccess& file, RecordKind kind, std::uint64_t stream, std::uint64_t offset,
                       std::uint64_t limit) {
  auto record = read_record(file, offset, limit);
  if (!record) return is_fatal(record.error()) ? Result<bool>(record.error()) : Result<bool>(false);
  const bool right =
      record->prefix.kind == kind && (kind == RecordKind::header || record->prefix.tag == stream);
  return right && record_body(record->bytes, offset).operator bool();
}

/// Is the stream where its END says? Its HDR is there, or its last index part, which counts from HDR like
/// END.
Status anchor(RandomAccess& file, KnownEnd& known) {
  auto header = stands_at(file, RecordKind::header, 0, known.begin, known.offset);
  if (!header) return header.error();
  known.headed = known.anchored = *header;
  if (known.headed || known.end.last_index == kUnknown) return ok();
  auto index =
      stands_at(file, RecordKind::index, known.end.stream, known.begin + known.end.last_index, known.offset);
  if (!index) return index.error();
  known.anchored = *index;
  return ok();
}

}  // namespace

Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file, const std::stop_token& stop) {
  std::vector<KnownEnd> ends;
  for (std::uint64_t limit = file.size(); limit > 0;) {
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    auto found = find_end(file, limit);
    if (!found && is_fatal(found.error())) return found.error();
    if (!found) break;
    const std::uint64_t behind = found->offset + kEndBytes;
    KnownEnd known{found->end, found->offset, behind - std::min(behind, found->end.stream_bytes)};
    if (auto done = anchor(file, known); !done) return done.error();
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

/// Calls visit(record, chunk, bytes) for chunk after chunk, each passed over as a whole, until it returns
/// false.
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
