// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/account.hpp"

namespace tdz {

using namespace formats;

namespace {

void close_part(Ledger& ledger) {
  ledger.add_record(serialize(ledger.close_part()).size());
}

}  // namespace

void Account::begin_stream(std::uint64_t begin, std::optional<std::uint64_t> header_bytes) {
  if (begin < behind_ || (begin > behind_ && !zeros_may_follow_)) room_ = true;
  stream_ = {begin, header_bytes.has_value(), true, {}};
  if (header_bytes) stream_.ledger.emplace(*header_bytes);
  open_ = true;
}

/// The first record behind a lost HDR is taken to stand right behind it.
void Account::expect(std::uint64_t where) {
  if (!stream_.ledger) stream_.ledger.emplace(where - stream_.begin);
  stream_.in_line = stream_.in_line && where == stream_.begin + stream_.ledger->position();
}

void Account::add_chunk(const ChunkRecord& chunk, std::uint64_t where, std::uint64_t record_bytes) {
  if (stream_.ledger && stream_.ledger->part_is_full()) close_part(*stream_.ledger);  // its INDX is lost
  expect(where);
  Ledger& ledger = *stream_.ledger;
  stream_.in_line =
      stream_.in_line && chunk.number == ledger.chunks() && chunk.original_offset == ledger.original_bytes();
  if (!stream_.in_line) return;
  ledger.set_stream(chunk.stream);
  ledger.add_chunk(chunk, record_bytes);
}

void Account::add_index(const IndexPart* part, std::uint64_t where, std::uint64_t record_bytes) {
  expect(where);
  if (!stream_.in_line || stream_.ledger->part_is_empty()) return;
  const IndexPart own = stream_.ledger->close_part();
  stream_.ledger->add_record(record_bytes);
  if (part == nullptr) return;
  if (part->entries.front().record_offset == own.entries.front().record_offset) stream_.begin_is_known = true;
}

void Account::add_meta(std::uint64_t where, std::uint64_t record_bytes) {
  expect(where);
  if (stream_.in_line) stream_.ledger->add_record(record_bytes);
}

void Account::end_stream(const EndRecord& end, std::uint64_t where, bool seek_is_sound) {
  const std::uint64_t from_begin = where + kEndBytes - stream_.begin;
  if (from_begin > end.stream_bytes && from_begin - end.stream_bytes >= kLessThanAStream) room_ = true;
  behind_ = where + kEndBytes + end.seek_bytes;
  zeros_may_follow_ = seek_is_sound;
  open_ = false;
}

std::optional<std::uint64_t> Account::tail_end(const std::optional<std::uint64_t>& original_bytes) {
  auto& ledger = stream_.ledger;
  if (!stream_.in_line || !stream_.begin_is_known || !ledger || ledger->original_bytes() != original_bytes)
    return std::nullopt;
  if (!ledger->part_is_empty()) close_part(*ledger);
  const auto closing = ledger->close({});
  return stream_.begin + closing.end.stream_bytes + closing.seek.size();
}

void Account::lose_end(const std::optional<std::uint64_t>& original_bytes) {
  open_ = false;
  zeros_may_follow_ = false;
  const auto end = tail_end(original_bytes);
  if (end) {
    behind_ = *end;
  } else {
    room_ = true;
  }
}

/// A file that was cut in its last stream's tail has lost nothing that could be known.
bool Account::is_closed_at(std::uint64_t file_bytes) const {
  return !room_ && (file_bytes <= behind_ || zeros_may_follow_);
}

}  // namespace tdz
