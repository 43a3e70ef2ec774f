// SPDX-License-Identifier: Apache-2.0
#include "codec/indexed_reader.hpp"

#include <string>
#include <utility>

#include "codec/memory_limit.hpp"

namespace tdz {

using namespace formats;

namespace {

Error corrupt(std::string message, std::uint64_t where) {
  return {ErrorKind::corrupt, std::move(message), where};
}

}  // namespace

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
      auto place = find_chunk(file_, stream, within);
      if (!place) return place.error();
      place_ = *place;
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
  if (!is_next(*chunk)) return corrupt("the chunk here is not the one that belongs here", place_.where);
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

bool IndexedReader::is_next(const ChunkRecord& chunk) const {
  return chunk.stream == streams_[stream_].end.stream && chunk.number == place_.number &&
         chunk.original_offset == place_.original_offset;
}

}  // namespace tdz
