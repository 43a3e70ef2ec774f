// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/ledger.hpp"

#include <algorithm>
#include <utility>

#include "formats/bytes.hpp"

namespace tdz {

using namespace formats;

Ledger::Ledger(std::uint64_t header_bytes) : seek_(std::in_place) { add_record(header_bytes); }

void Ledger::add_record(std::uint64_t bytes) {
  position_ += bytes;
  add_seek(bytes, 0);
}

void Ledger::add_chunk(const ChunkRecord& chunk, std::uint64_t record_bytes) {
  const std::uint64_t stored = record_bytes + chunk.packed_bytes();
  part_.entries.push_back({position_, chunk.original_offset, chunk.digest, chunk.original_bytes,
                           static_cast<std::uint32_t>(stored), transform_number(chunk.transform)});
  std::array<std::byte, 8> digest;
  set_le(std::span(digest), chunk.digest);
  digests_.update64(digest);
  add_seek(record_bytes, 0);
  for (const auto& frame : chunk.frames) add_seek(frame.packed, frame.unpacked);
  position_ += stored;
  original_bytes_ += chunk.original_bytes;
  ++chunks_;
}

IndexPart Ledger::close_part() {
  part_.stream = stream_;
  part_.first_chunk = chunks_ - part_.entries.size();
  part_.previous = std::exchange(last_index_, position_);
  return std::exchange(part_, IndexPart{});
}

Ledger::Closing Ledger::close(const Digest128& whole) const {
  Closing closing;
  if (seek_) {
    auto entries = *seek_;
    entries.push_back({kEndBytes, 0});
    if (seek_table_bytes(entries.size()) <= kMaxSeekTableBytes) closing.seek = serialize_seek_table(entries);
  }
  const auto& seek = closing.seek;
  closing.end = {stream_,     chunks_,
                 original_bytes_, position_ + kEndBytes,
                 last_index_, digests_.digest64(),
                 whole,       static_cast<std::uint32_t>(seek.size()),
                 seek.empty() ? 0 : xxh3_64(seek)};
  return closing;
}

void Ledger::add_seek(std::uint64_t compressed, std::uint64_t decompressed) {
  if (!seek_) return;
  if (seek_table_bytes(seek_->size() + 1) > kMaxSeekTableBytes) {
    seek_.reset();
    return;
  }
  seek_->push_back({static_cast<std::uint32_t>(compressed), static_cast<std::uint32_t>(decompressed)});
}

std::uint16_t Ledger::transform_number(const Transform& transform) {
  // Nearly every stream has one or two transforms. The search is limited, because a hostile stream with many
  // transforms would cost quadratic time. A transform that is listed twice costs only a few bytes.
  constexpr std::ptrdiff_t kLookedAt = 64;
  auto& known = part_.transforms;
  const auto oldest = known.rbegin() + std::min(std::ssize(known), kLookedAt);
  const auto found = std::find(known.rbegin(), oldest, transform);
  if (found != oldest) return static_cast<std::uint16_t>(known.rend() - found - 1);
  known.push_back(transform);
  return static_cast<std::uint16_t>(known.size() - 1);
}

}  // namespace tdz
