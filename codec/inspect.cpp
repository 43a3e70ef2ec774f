// SPDX-License-Identifier: Apache-2.0
// Looking into streams from their ends, without decoding: END says how long its stream is, so a file of several
// streams is walked backwards one by one.
#include <algorithm>
#include <array>
#include <new>
#include <ranges>

#include "codec/buffer.hpp"
#include "codec/foreign.hpp"
#include "codec/pipeline.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using namespace formats;

namespace {

Error corrupt(std::string message, std::uint64_t where) { return {ErrorKind::corrupt, std::move(message), where}; }

/// A record of the wanted kind at `offset`, which must end at or before `limit`.
Result<std::vector<std::byte>> read_record(RandomAccess& file, RecordKind kind, std::uint64_t offset,
                                           std::uint64_t limit) {
  if (offset > limit || limit - offset < kPrefixBytes) return corrupt("a record is missing here", offset);
  std::vector<std::byte> record(kPrefixBytes);
  if (auto done = file.read_at(offset, record); !done) return done.error();
  auto prefix = parse_prefix(record, offset);
  if (!prefix) return prefix.error();
  if (prefix->kind != kind) return corrupt("another kind of record is expected here", offset);
  if (prefix->total_bytes > limit - offset) return corrupt("a record is longer than its place", offset);
  record.resize(static_cast<std::size_t>(prefix->total_bytes));
  if (auto done = file.read_at(offset, record); !done) return done.error();
  return record;
}

/// The END found before `limit`, and where it stands.
struct FoundEnd {
  EndRecord end;
  std::uint64_t offset = 0;
};

/// END at `offset` if there is one that is followed by `seek_bytes` of SEEK.
Result<FoundEnd> end_at(RandomAccess& file, std::uint64_t offset, std::uint64_t seek_bytes) {
  auto record = read_record(file, RecordKind::end, offset, file.size());
  if (!record) return record.error();
  auto end = parse_end(*record, offset);
  if (!end) return end.error();
  if (end->seek_bytes != seek_bytes) return corrupt("the seek table has another length than END gives", offset);
  return FoundEnd{*end, offset};
}

/// The length of the zeros before `limit`.
Result<std::uint64_t> padding_before(RandomAccess& file, std::uint64_t limit) {
  std::array<std::byte, 4096> block;
  std::uint64_t zeros = 0;
  while (zeros < limit) {
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), limit - zeros));
    const auto bytes = std::span(block).first(length);
    if (auto done = file.read_at(limit - zeros - length, bytes); !done) return done.error();
    const auto last = std::ranges::find_if(bytes | std::views::reverse, [](std::byte b) { return b != std::byte{0}; });
    const auto run = static_cast<std::uint64_t>(last - bytes.rbegin());
    zeros += run;
    if (run < length) break;
  }
  return zeros;
}

Result<std::uint64_t> seek_length_before(RandomAccess& file, std::uint64_t limit) {
  if (limit < kSeekFooterBytes + kEndBytes) return std::uint64_t{0};
  std::array<std::byte, kSeekFooterBytes> footer;
  if (auto done = file.read_at(limit - footer.size(), footer); !done) return done.error();
  const std::uint64_t length = seek_table_length_from_footer(footer);
  return length + kEndBytes <= limit ? length : std::uint64_t{0};
}

/// The last END before `limit`. Zeros may follow it, and its own check may end in zeros.
Result<FoundEnd> find_end(RandomAccess& file, std::uint64_t limit) {
  auto zeros = padding_before(file, limit);
  if (!zeros) return zeros.error();
  const std::uint64_t content = limit - *zeros;
  auto seek = seek_length_before(file, content);
  if (!seek) return seek.error();
  if (*seek != 0) {
    if (auto found = end_at(file, content - *seek - kEndBytes, *seek)) return found;
  }
  for (std::uint64_t own = 0; own <= std::min<std::uint64_t>(*zeros, kCheckBytes); ++own) {
    if (content + own < kEndBytes) continue;
    if (auto found = end_at(file, content + own - kEndBytes, 0)) return found;
  }
  return Error{ErrorKind::truncated, "the stream has no intact end: the file was cut short, or its end is damaged", content};
}

/// Does the id in END belong to this header and the first chunk?
Status check_id(RandomAccess& file, std::span<const std::byte> header_record, const StreamHeader& header,
                const EndRecord& end, std::uint64_t begin) {
  std::uint64_t id = stream_id(header_record, nullptr);
  if (end.chunks > 0) {
    const std::uint64_t offset = begin + header_record.size();
    auto record = read_record(file, RecordKind::chunk, offset, file.size());
    if (!record) return record.error();
    auto chunk = parse_chunk(*record, header, offset);
    if (!chunk) return chunk.error();
    id = stream_id(header_record, &chunk->digest);
  }
  return id == end.stream ? ok() : Status(corrupt("the stream's beginning and end do not belong together", begin));
}

Result<IndexPart> read_part(RandomAccess& file, std::uint64_t begin, std::uint64_t offset, std::uint64_t limit) {
  if (offset >= limit - begin) return corrupt("an index part lies outside its stream", begin);
  auto record = read_record(file, RecordKind::index, begin + offset, limit);
  if (!record) return record.error();
  return parse_index(*record, begin + offset);
}

Result<StreamInfo> describe(RandomAccess& file, const FoundEnd& found) {
  const EndRecord& end = found.end;
  const std::uint64_t end_of_end = found.offset + kEndBytes;
  if (end.stream_bytes > end_of_end) {
    return Error{ErrorKind::truncated, "the stream is longer than the file: its beginning is missing", 0};
  }
  const std::uint64_t begin = end_of_end - end.stream_bytes;
  auto record = read_record(file, RecordKind::header, begin, end_of_end);
  if (!record) return record.error();
  auto header = parse_header(*record, begin);
  if (!header) return header.error();
  if (auto done = check_id(file, *record, *header, end, begin); !done) return done.error();
  StreamInfo info{begin,           end.stream_bytes + end.seek_bytes, end.original_bytes, end.chunks, header->largest_chunk,
                  header->largest_frame, header->major,               header->minor,      header->nominal, {},
                  end.whole,       end.seek_bytes != 0};
  if (end.last_index != kUnknown) {
    auto part = read_part(file, begin, end.last_index, end_of_end);
    if (!part) return part.error();
    info.transforms = std::move(part->transforms);
  }
  return info;
}

Result<std::vector<StreamInfo>> inspect_all(RandomAccess& file) {
  std::array<std::byte, kPrefixBytes> memory;
  const auto head = std::span(memory).first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), memory.size())));
  if (auto done = file.read_at(0, head); !done) return done.error();
  if (auto done = check_is_stream(head, 0, false); !done) return done.error();
  std::vector<StreamInfo> streams;
  for (std::uint64_t limit = file.size(); limit > 0; limit = streams.back().offset) {
    auto found = find_end(file, limit);
    if (!found) return found.error();
    auto info = describe(file, *found);
    if (!info) return info.error();
    streams.push_back(std::move(*info));
  }
  std::ranges::reverse(streams);
  return streams;
}

/// The offsets of all index parts, first to last, found by following the links back from the last.
Result<std::vector<std::uint64_t>> part_offsets(RandomAccess& file, const StreamInfo& stream, std::uint64_t last) {
  std::vector<std::uint64_t> offsets;
  const std::uint64_t limit = stream.offset + stream.stored_bytes;
  for (std::uint64_t offset = last; offset != kUnknown;) {
    auto part = read_part(file, stream.offset, offset, limit);
    if (!part) return part.error();
    const bool backwards = part->previous == kUnknown || part->previous < offset;
    if (!backwards) return corrupt("the index parts are linked in a circle", stream.offset + offset);
    offsets.push_back(offset);
    offset = part->previous;
  }
  std::ranges::reverse(offsets);
  return offsets;
}

ChunkInfo chunk_info(const StreamInfo& stream, const IndexPart& part, std::size_t i) {
  const IndexEntry& entry = part.entries[i];
  return {part.first_chunk + i,    stream.offset + entry.record_offset, entry.original_offset, entry.original_bytes,
          entry.stored_bytes, entry.digest,                        part.transforms[entry.transform]};
}

Status visit_chunks(RandomAccess& file, const StreamInfo& stream, const std::function<bool(const ChunkInfo&)>& visit) {
  const std::uint64_t limit = stream.offset + stream.stored_bytes;
  auto found = find_end(file, limit);
  if (!found) return found.error();
  auto offsets = part_offsets(file, stream, found->end.last_index);
  if (!offsets) return offsets.error();
  for (const std::uint64_t offset : *offsets) {
    auto part = read_part(file, stream.offset, offset, limit);
    if (!part) return part.error();
    for (std::size_t i = 0; i < part->entries.size(); ++i) {
      if (!visit(chunk_info(stream, *part, i))) return ok();
    }
  }
  return ok();
}

}  // namespace

Result<std::vector<StreamInfo>> inspect(RandomAccess& file) {
  try {
    return inspect_all(file);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

Status for_each_chunk(RandomAccess& file, const StreamInfo& stream,
                      const std::function<bool(const ChunkInfo&)>& visit) {
  try {
    return visit_chunks(file, stream, visit);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
