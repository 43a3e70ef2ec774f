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

/// Is the stream where its END says? Its HDR is there, or the first chunk that its last index part lists.
Result<bool> is_anchored(RandomAccess& file, const KnownEnd& known) {
  auto header = stands_at(file, RecordKind::header, 0, known.begin, known.offset);
  if (!header || *header || known.end.last_index == kUnknown) return header;
  auto part = read_part(file, known.begin, known.end.last_index, known.offset);
  if (!part) return is_fatal(part.error()) ? Result<bool>(part.error()) : Result<bool>(false);
  const std::uint64_t where = known.begin + part->entries.front().record_offset;
  return stands_at(file, RecordKind::chunk, known.end.stream, where, known.offset);
}

}  // namespace

Result<std::vector<KnownEnd>> surviving_ends(RandomAccess& file) {
  std::vector<KnownEnd> ends;
  for (std::uint64_t limit = file.size(); limit > 0;) {
    auto found = find_end(file, limit);
    if (!found && is_fatal(found.error())) return found.error();
    if (!found) break;
    const std::uint64_t behind = found->offset + kEndBytes;
    KnownEnd known{found->end, found->offset, behind - std::min(behind, found->end.stream_bytes)};
    auto anchored = is_anchored(file, known);
    if (!anchored) return anchored.error();
    known.anchored = *anchored;
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

Result<std::optional<std::uint64_t>> commonest_stream(RandomAccess& file, const StreamHeader& header,
                                                      std::uint64_t from, std::uint64_t limit) {
  Poll poll;
  RecordScan scan(file);
  for (;;) {
    auto found = scan.next(RecordKind::chunk, from, limit);
    if (!found) return found.error();
    if (!*found) return poll.winner();
    const auto& [where, record] = **found;
    from = where + record.bytes.size();
    const auto chunk = parse_chunk(record.bytes, header, where);
    if (!chunk) continue;
    const std::uint64_t behind = from + chunk->packed_bytes();
    poll.add(chunk->stream, std::min(behind, limit) - where);
    auto follows = record_stands_at(file, behind, limit);
    if (!follows) return follows.error();
    if (*follows) from = behind;
  }
}

StreamHeader permissive_header() {
  StreamHeader header;
  header.largest_chunk = kMaxChunk;
  header.largest_frame = kMaxChunk;
  return header;
}

}  // namespace tdz
