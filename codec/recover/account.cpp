// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/account.hpp"

#include <algorithm>
#include <span>

namespace tdz {

using namespace formats;

namespace {

constexpr std::ptrdiff_t kBeforeDigest = 72;  // of END; the rest depends on all bytes and cannot be rebuilt

void close_part(Ledger& ledger) {
  ledger.add_record(serialize(ledger.close_part()).size());
}

}  // namespace

void Account::begin_stream(std::uint64_t begin, std::optional<std::uint64_t> header_bytes) {
  if (begin < behind_ || (begin > behind_ && !zeros_may_follow_)) room_ = true;
  stream_ = {.begin = begin, .begin_is_known = header_bytes.has_value()};
  if (header_bytes) stream_.ledger.emplace(*header_bytes);
  open_ = true;
}

/// After a lost HDR, the first record that is found is assumed to follow HDR directly.
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
  stream_.meta_bytes += record_bytes;
}

void Account::end_stream(const EndRecord& end, std::uint64_t where, bool seek_is_sound) {
  open_ = false;
  const std::uint64_t bytes = where + kEndBytes - stream_.begin;
  if (bytes != end.stream_bytes && bytes - stream_.meta_bytes != end.stream_bytes) room_ = true;
  behind_ = where + kEndBytes + end.seek_bytes;
  zeros_may_follow_ = seek_is_sound;
  tail_begin_ = where + kEndBytes;
  tail_.clear();
  if (!seek_is_sound && stream_.in_line && stream_.ledger) tail_ = stream_.ledger->close({}).seek;
}

std::optional<std::uint64_t> Account::tail_end(const std::optional<std::uint64_t>& original_bytes) {
  auto& ledger = stream_.ledger;
  if (stream_.tail_end) return stream_.tail_end;
  if (!stream_.in_line || !stream_.begin_is_known || !ledger || ledger->original_bytes() != original_bytes)
    return std::nullopt;
  tail_begin_ = stream_.begin + ledger->position();
  tail_.clear();
  if (!ledger->part_is_empty()) {
    tail_ = serialize(ledger->close_part());
    ledger->add_record(tail_.size());
  }
  const auto closing = ledger->close({});
  const auto end = serialize(closing.end);
  tail_.insert(tail_.end(), end.begin(), end.begin() + kBeforeDigest);
  stream_.tail_end = stream_.begin + closing.end.stream_bytes + closing.seek.size();
  return stream_.tail_end;
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

/// If the file was cut within the tail of its last stream, its last bytes are the beginning of that tail.
Result<bool> Account::leaves_room(RandomAccess& file) const {
  const std::uint64_t size = file.size();
  if (room_ || size == behind_) return room_;
  if (size > behind_) return !zeros_may_follow_;
  if (size < tail_begin_) return true;
  std::vector<std::byte> left(
      static_cast<std::size_t>(std::min<std::uint64_t>(size - tail_begin_, tail_.size())));
  if (auto done = file.read_at(tail_begin_, left); !done) return done.error();
  return !std::ranges::equal(left, std::span(tail_).first(left.size())) ||
         size - tail_begin_ > tail_.size() + (kEndBytes - kBeforeDigest);
}

}  // namespace tdz
