// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_reader.hpp"

#include <algorithm>
#include <string>

#include "codec/stream/foreign.hpp"
#include "codec/pipe/memory_limit.hpp"

namespace tdz {

using namespace formats;

namespace {

/// True if two index parts list the same chunks. Their tables of transforms may be in a different order.
bool same_content(const IndexPart& a, const IndexPart& b) {
  const auto same_entry = [&](const IndexEntry& x, const IndexEntry& y) {
    IndexEntry y_as_x = y;
    y_as_x.transform = x.transform;
    return x == y_as_x && a.transforms[x.transform] == b.transforms[y.transform];
  };
  return a.stream == b.stream && a.first_chunk == b.first_chunk && a.previous == b.previous &&
         std::ranges::equal(a.entries, b.entries, same_entry);
}

}  // namespace

Result<StreamEvent> StreamReader::next(Buffer& memory) {
  for (;;) {
    if (!stream_) {
      auto more = begin_stream();
      if (!more) return more.error();
      if (!*more) return StreamEvent(EndOfInput{});
    }
    const std::uint64_t where = input_.position();
    if (auto done = input_.read(head_); !done) return done.error();
    auto prefix = parse_prefix(head_, where);
    if (!prefix) return prefix.error();
    auto record = read_record(*prefix);
    if (!record) return record.error();
    switch (prefix->kind) {
      case RecordKind::chunk:
        return read_chunk(*record, where, memory);
      case RecordKind::end:
        return read_end(*record, where);
      case RecordKind::index:
        if (auto done = read_index(*record, where); !done) return done.error();
        break;
      case RecordKind::meta:
        if (auto done = read_meta(*record, where); !done) return done.error();
        break;
      case RecordKind::header:
        return corrupt("a new stream begins before the last one has ended", where);
    }
  }
}

/// Reads HDR. False at the end of the input.
Result<bool> StreamReader::begin_stream() {
  auto have = read_head();
  if (!have) return have.error();
  if (*have == 0 && any_stream_) return false;
  const std::uint64_t where = input_.position() - *have;
  const auto head = std::span<const std::byte>(head_).first(*have);
  if (auto done = check_is_stream(head, where, any_stream_); !done) return done.error();
  auto prefix = parse_prefix(head, where);
  if (!prefix) return prefix.error();
  if (prefix->kind != RecordKind::header) return corrupt("the stream's header is missing", where);
  auto record = read_record(*prefix);
  if (!record) return record.error();
  auto header = parse_header(*record, where);
  if (!header) return header.error();
  stream_.emplace(Stream{*header, {record->begin(), record->end()}, where, Ledger(record->size())});
  if (!any_stream_) nominal_ = header->nominal;
  any_stream_ = true;
  return true;
}

/// Reads up to 32 bytes into head_ and skips the zero padding that may follow a stream. Returns their number.
Result<std::size_t> StreamReader::read_head() {
  std::size_t have = 0;
  for (;;) {
    auto came = input_.read_up_to(std::span(head_).subspan(have));
    if (!came) return came.error();
    have += *came;
    const auto begin = head_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(have);
    const auto first = any_stream_ ? std::find_if(begin, end, [](std::byte b) { return b != std::byte{0}; }) : begin;
    if (first == begin) return have;
    std::move(first, end, begin);
    have = static_cast<std::size_t>(end - first);
    if (*came == 0) return have;
  }
}

/// Reads the whole record; its prefix is already in head_.
Result<StreamReader::Record> StreamReader::read_record(const RecordPrefix& prefix) {
  const auto memory = record_memory_.take(kPrefixBytes);
  std::ranges::copy(head_, memory.begin());
  auto record = input_.read_claimed(record_memory_, kPrefixBytes,
                                    static_cast<std::size_t>(prefix.total_bytes) - kPrefixBytes);
  if (!record) return record.error();
  return Record(*record);
}

/// META is for later versions. This version only checks that it is intact and directly follows the header.
Status StreamReader::read_meta(Record record, std::uint64_t where) {
  if (auto body = record_body(record, where); !body) return body.error();
  if (stream_->ledger.position() != stream_->header_record.size()) {
    return corrupt("a META record is not in its place directly after the header", where);
  }
  stream_->ledger.add_record(record.size());
  return ok();
}

Result<StreamEvent> StreamReader::read_chunk(Record record, std::uint64_t where, Buffer& memory) {
  const std::size_t record_bytes = record.size();
  auto chunk = parse_chunk(record, stream_->header, where);
  if (!chunk) return chunk.error();
  if (auto done = check_place(*chunk, where); !done) return done.error();
  if (auto done = check_memory(*chunk, memory_, where); !done) return done.error();
  auto packed = input_.read_claimed(memory, 0, static_cast<std::size_t>(chunk->packed_bytes()));
  if (!packed) return packed.error();
  stream_->ledger.add_chunk(*chunk, record_bytes);
  const std::uint64_t offset = original_before_ + chunk->original_offset;
  const std::uint32_t bytes = chunk->original_bytes;
  return StreamEvent(StoredChunk{std::move(*chunk), *packed, where, offset, offset, 0, bytes});
}

/// Checks that this chunk belongs here: right stream, next number, next offset.
Status StreamReader::check_place(const ChunkRecord& chunk, std::uint64_t where) {
  Ledger& ledger = stream_->ledger;
  if (ledger.chunks() == 0) ledger.set_stream(stream_id(stream_->header_record, &chunk.digest));
  if (chunk.stream != ledger.stream()) return corrupt("this chunk belongs to another stream", where);
  if (chunk.number != ledger.chunks()) {
    return corrupt("chunk " + std::to_string(chunk.number) + " is in the place of chunk " +
                       std::to_string(ledger.chunks()) + ": chunks were lost, repeated or moved",
                   where);
  }
  if (chunk.original_offset != ledger.original_bytes()) {
    return corrupt("chunk " + std::to_string(chunk.number) + " gives a wrong offset", where);
  }
  if (ledger.part_is_full()) return corrupt("an index part is missing", where);
  return ok();
}

Status StreamReader::read_index(Record record, std::uint64_t where) {
  auto part = parse_index(record, where);
  if (!part) return part.error();
  Ledger& ledger = stream_->ledger;
  if (ledger.part_is_empty() || !same_content(*part, ledger.close_part())) {
    return corrupt("the index does not list the chunks before it", where);
  }
  ledger.add_record(record.size());
  return ok();
}

Result<StreamEvent> StreamReader::read_end(Record record, std::uint64_t where) {
  auto end = parse_end(record, where);
  if (!end) return end.error();
  Ledger& ledger = stream_->ledger;
  if (ledger.chunks() == 0) ledger.set_stream(stream_id(stream_->header_record, nullptr));
  auto expected = ledger.close(end->whole);
  if (end->seek_bytes == 0) {  // a writer may leave the table out
    expected.end.seek_bytes = 0;
    expected.end.seek_check = 0;
    expected.seek.clear();
  }
  if (!ledger.part_is_empty() || *end != expected.end) {
    return corrupt("the end of the stream does not match its chunks: some were lost or replaced", where);
  }
  const auto announced = stream_->header.original_bytes;
  if (announced != kUnknown && announced != end->original_bytes) {
    return corrupt("the length of the stream differs from the length in its header", where);
  }
  if (auto done = read_seek_table(expected); !done) return done.error();
  original_before_ += end->original_bytes;
  stream_.reset();
  return StreamEvent(StoredEnd{end->whole});
}

Status StreamReader::read_seek_table(const Ledger::Closing& expected) {
  const std::uint64_t where = input_.position();
  auto table = input_.read_claimed(record_memory_, 0, expected.seek.size());
  if (!table) return table.error();
  if (!std::ranges::equal(*table, expected.seek)) return corrupt("the seek table is damaged", where);
  return ok();
}

}  // namespace tdz
