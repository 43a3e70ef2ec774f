// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_index.hpp"

#include <algorithm>
#include <array>

#include "codec/stream/foreign.hpp"

namespace tdz {

using namespace formats;

namespace {

/// END at `offset`, if there is one with a SEEK of `seek_bytes` bytes after it.
Result<FoundEnd> end_at(RandomAccess& file, std::uint64_t offset, std::uint64_t seek_bytes) {
  auto record = read_record(file, RecordKind::end, offset, file.size());
  if (!record) return record.error();
  auto end = parse_end(*record, offset);
  if (!end) return end.error();
  if (end->seek_bytes != seek_bytes)
    return corrupt("the length of the seek table differs from the length in END", offset);
  return FoundEnd{*end, offset};
}

/// The number of zero bytes before `limit`.
Result<std::uint64_t> padding_before(RandomAccess& file, std::uint64_t limit) {
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

Result<std::uint64_t> seek_length_before(RandomAccess& file, std::uint64_t limit) {
  if (limit < kSeekFooterBytes + kEndBytes) return std::uint64_t{0};
  std::array<std::byte, kSeekFooterBytes> footer;
  if (auto done = file.read_at(limit - footer.size(), footer); !done) return done.error();
  const std::uint64_t length = seek_table_length_from_footer(footer);
  return length + kEndBytes <= limit ? length : std::uint64_t{0};
}

/// Checks that the id in END was made from this header and the first chunk.
Status check_id(RandomAccess& file, std::span<const std::byte> header_record, const StreamHeader& header,
                const EndRecord& end, std::uint64_t begin) {
  std::uint64_t id = stream_id(header_record, nullptr);
  if (end.chunks > 0) {
    const std::uint64_t offset = begin + header_record.size();
    auto record = record_behind_header(file, offset, file.size());
    if (!record) return record.error();
    auto chunk = parse_chunk(record->bytes, header, offset);
    if (!chunk) return chunk.error();
    id = stream_id(header_record, &chunk->digest);
  }
  return id == end.stream ? ok()
                          : Status(corrupt("the beginning and the end belong to different streams", begin));
}

Result<FoundStream> describe(RandomAccess& file, const FoundEnd& found) {
  const std::uint64_t behind_end = found.offset + kEndBytes;
  if (found.end.stream_bytes > behind_end) {
    return truncated("the stream is longer than the file: its beginning is missing", 0);
  }
  const std::uint64_t begin = behind_end - found.end.stream_bytes;
  auto record = read_record(file, RecordKind::header, begin, behind_end);
  if (!record) return record.error();
  auto header = parse_header(*record, begin);
  if (!header) return header.error();
  if (auto done = check_id(file, *record, *header, found.end, begin); !done) return done.error();
  return FoundStream{begin, record->size(), *header, found.end};
}

}  // namespace

Result<RawRecord> read_record(RandomAccess& file, std::uint64_t offset, std::uint64_t limit) {
  if (offset > limit || limit - offset < kPrefixBytes) return corrupt("a record is missing here", offset);
  std::vector<std::byte> record(kPrefixBytes);
  if (auto done = file.read_at(offset, record); !done) return done.error();
  auto prefix = parse_prefix(record, offset);
  if (!prefix) return prefix.error();
  if (prefix->total_bytes > limit - offset)
    return corrupt("a record is longer than the space for it", offset);
  record.resize(static_cast<std::size_t>(prefix->total_bytes));
  if (auto done = file.read_at(offset, record); !done) return done.error();
  return RawRecord{*prefix, std::move(record)};
}

Result<std::vector<std::byte>> read_record(RandomAccess& file, RecordKind kind, std::uint64_t offset,
                                           std::uint64_t limit) {
  auto record = read_record(file, offset, limit);
  if (!record) return record.error();
  if (record->prefix.kind != kind) return corrupt("this is the wrong kind of record", offset);
  return std::move(record->bytes);
}

Result<RawRecord> record_behind_header(RandomAccess& file, std::uint64_t offset, std::uint64_t limit) {
  auto record = read_record(file, offset, limit);
  if (!record || record->prefix.kind != RecordKind::meta) return record;
  return read_record(file, offset + record->bytes.size(), limit);
}

/// Zeros may follow END as padding. But the last bytes of END itself, its check, may also be zeros.
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
  return truncated("the stream has no intact end: the file was cut short, or its end is damaged", content);
}

Result<IndexPart> read_part(RandomAccess& file, std::uint64_t begin, std::uint64_t offset,
                            std::uint64_t limit) {
  if (offset >= limit - begin) return corrupt("an index part lies outside its stream", begin);
  auto record = read_record(file, RecordKind::index, begin + offset, limit);
  if (!record) return record.error();
  return parse_index(*record, begin + offset);
}

Result<std::vector<FoundStream>> find_streams(RandomAccess& file) {
  std::array<std::byte, kPrefixBytes> memory;
  const auto head =
      std::span(memory).first(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), memory.size())));
  if (auto done = file.read_at(0, head); !done) return done.error();
  if (auto done = check_is_stream(head, 0, false); !done) return done.error();
  std::vector<FoundStream> streams;
  for (std::uint64_t limit = file.size(); limit > 0; limit = streams.back().begin) {
    auto found = find_end(file, limit);
    if (!found) return found.error();
    auto stream = describe(file, *found);
    if (!stream) return stream.error();
    streams.push_back(std::move(*stream));
  }
  std::ranges::reverse(streams);
  return streams;
}

/// Goes back through the index parts only to the one that lists the chunk.
Result<IndexPart> find_part(RandomAccess& file, const FoundStream& stream, std::uint64_t original_offset) {
  std::uint64_t behind = stream.end.stream_bytes;
  for (std::uint64_t offset = stream.end.last_index; offset < behind;) {
    auto part = read_part(file, stream.begin, offset, stream.behind_end());
    if (!part) return part.error();
    if (part->stream != stream.end.stream)
      return corrupt("an index part belongs to another stream", stream.begin + offset);
    if (part->entries.front().original_offset <= original_offset) return part;
    behind = std::exchange(offset, part->previous);
  }
  return corrupt("the index does not lead to the chunk", stream.begin);
}

}  // namespace tdz
