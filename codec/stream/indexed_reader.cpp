// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/indexed_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/pipe/memory_limit.hpp"

namespace tdz {

using namespace formats;

IndexedReader::IndexedReader(RandomAccess& file, std::vector<FoundStream> streams)
    : file_(file), streams_(std::move(streams)) {}

std::uint64_t IndexedReader::original_bytes() const {
  std::uint64_t sum = 0;
  for (const FoundStream& stream : streams_) sum += stream.end.original_bytes;
  return sum;
}

Status IndexedReader::go_to(std::uint64_t offset) {
  original_before_ = 0;
  for (stream_ = 0; stream_ < streams_.size(); ++stream_) {
    const FoundStream& stream = streams_[stream_];
    const std::uint64_t within = offset - original_before_;
    if (within < stream.end.original_bytes) {
      auto part = find_part(file_, stream, within);
      if (!part) return part.error();
      const auto& entries = part->entries;
      const auto next = std::ranges::upper_bound(entries, within, {}, &IndexEntry::original_offset);
      const auto at = static_cast<std::size_t>(next - entries.begin()) - 1;
      place_ = {stream.begin + entries[at].record_offset, part->first_chunk + at,
                entries[at].original_offset};
      part_ = *std::move(part);
      return ok();
    }
    original_before_ += stream.end.original_bytes;
  }
  return ok();
}

Result<StreamEvent> IndexedReader::next(Buffer& memory) {
  while (stream_ < streams_.size()) {
    const FoundStream& stream = streams_[stream_];
    if (place_.original_offset >= stream.end.original_bytes) {
      original_before_ += stream.end.original_bytes;
      if (++stream_ == streams_.size()) break;
      place_ = {streams_[stream_].begin + streams_[stream_].header_bytes, 0, 0};
      part_.reset();
      continue;
    }
    auto record = read_record(file_, place_.where, stream.behind_end());
    if (!record) return record.error();
    bytes_read_ += record->bytes.size();
    if (record->prefix.kind == RecordKind::chunk) return read_chunk(*record, memory);
    const bool between = record->prefix.kind == RecordKind::index || record->prefix.kind == RecordKind::meta;
    if (!between) return corrupt("a chunk is missing here", place_.where);
    place_.where += record->bytes.size();
  }
  return StreamEvent(EndOfInput{});
}

Result<StreamEvent> IndexedReader::read_chunk(const RawRecord& record, Buffer& memory) {
  const FoundStream& stream = streams_[stream_];
  auto chunk = parse_chunk(record.bytes, stream.header, place_.where);
  if (!chunk) return chunk.error();
  const auto is_right = is_next(*chunk);
  if (!is_right) return is_right.error();
  if (!*is_right) return corrupt("the index does not list this chunk here", place_.where);
  const std::uint64_t frames = place_.where + record.bytes.size();
  const std::uint64_t bytes = chunk->packed_bytes();
  if (bytes > stream.behind_end() - frames) return corrupt("a chunk is longer than its stream", place_.where);
  if (auto done = check_memory(*chunk, memory_, place_.where); !done) return done.error();
  const auto packed = memory.take(static_cast<std::size_t>(bytes));
  if (auto done = file_.read_at(frames, packed); !done) return done.error();
  bytes_read_ += bytes;
  const std::uint64_t offset = original_before_ + chunk->original_offset;
  const std::uint32_t original = chunk->original_bytes;
  const auto where =
      std::exchange(place_, {frames + bytes, chunk->number + 1, chunk->original_offset + original}).where;
  return StreamEvent(StoredChunk{std::move(*chunk), packed, where, offset, offset, 0, original});
}

/// Checks the chunk's own record, and its entry in the index. The record alone is not enough: another stream
/// with the same header and first chunk has the same id and the same chunk numbers.
Result<bool> IndexedReader::is_next(const ChunkRecord& chunk) {
  const FoundStream& stream = streams_[stream_];
  if (chunk.stream != stream.end.stream || chunk.number != place_.number ||
      chunk.original_offset != place_.original_offset)
    return false;
  if (!part_ || place_.number - part_->first_chunk >= part_->entries.size()) {
    auto part = find_part(file_, stream, place_.original_offset);
    if (!part) return part.error();
    part_ = *std::move(part);
  }
  const std::uint64_t at = place_.number - part_->first_chunk;
  if (at >= part_->entries.size()) return false;
  const IndexEntry& entry = part_->entries[static_cast<std::size_t>(at)];
  return entry.digest == chunk.digest && entry.original_offset == chunk.original_offset &&
         entry.original_bytes == chunk.original_bytes && entry.record_offset == place_.where - stream.begin &&
         chunk.original_bytes <= stream.end.original_bytes - chunk.original_offset;
}

}  // namespace tdz
