// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/parity.hpp"

#include <algorithm>

namespace tdz::formats {
namespace {

constexpr std::uint64_t kFields = 64;  // up to the parity piece
constexpr std::uint64_t kDigestBytes = 8;
constexpr std::uint64_t kMostOffset = std::uint64_t{1} << 62;  // sums stay below 2^64

}  // namespace

std::uint64_t Area::note_bytes(unsigned r, std::uint32_t stripe) const {
  const std::uint64_t more = kDigestBytes * pieces_of(stripe) + (has_end ? kEndNumbers : 0);
  return kFields + piece_bytes() + (has_digests(r) ? more : 0) + kRecordCheckBytes;
}

std::uint64_t Area::note_place(unsigned r, std::uint32_t stripe) const {
  const std::uint64_t before = std::uint64_t{r} * stripes + stripe;
  const std::uint64_t end_bytes = has_end ? kEndNumbers : 0;
  const std::uint64_t pieces_before =
      stripe * (pieces() / stripes) + std::min<std::uint64_t>(stripe, pieces() % stripes);
  const std::uint64_t all = kDigestBytes * pieces() + end_bytes * stripes;
  const std::uint64_t some = kDigestBytes * pieces_before + end_bytes * stripe;
  return before * (kFields + piece_bytes() + kRecordCheckBytes) + (r > 0 ? all : 0) +
         (has_digests(r) ? some : 0);
}

std::uint64_t Area::notes_bytes() const {
  return note_place(parity - 1u, stripes - 1u) + note_bytes(parity - 1u, stripes - 1u);
}

bool Area::keeps_rules() const {
  if (piece_bits < kMinPieceBits || piece_bits > kMaxPieceBits || stripes == 0) return false;
  if (parity == 0 || parity > kMaxParity || bytes == 0) return false;
  if (bytes > std::uint64_t{kMaxStripe} * stripes * piece_bytes()) return false;
  return stripes <= pieces() && pieces_of(0) + parity <= kMaxStripe;
}

std::vector<std::byte> serialize(const ParityNote& note) {
  const Area& area = note.area;
  Note record{.kind = kParityNote, .tag = note.tag, .offset = note.offset};
  record.content.reserve(static_cast<std::size_t>(area.note_bytes(note.r, note.stripe)));
  put_le(record.content, area.bytes, note.area_digest, area.piece_bits, area.parity, note.r,
         static_cast<std::uint8_t>(area.has_end), area.stripes, note.stripe);
  put_bytes(record.content, note.parity);
  for (const std::uint64_t digest : note.digests) put_le(record.content, digest);
  put_bytes(record.content, note.end);
  return serialize(record);
}

std::optional<ParityNote> parse_parity(const Note& note) {
  if (note.kind != kParityNote || note.offset > kMostOffset) return std::nullopt;
  ParityNote parsed;
  parsed.tag = note.tag;
  parsed.offset = note.offset;
  ByteReader in(note.content);
  std::uint8_t has_end = 0;
  Area& area = parsed.area;
  in.read(area.bytes, parsed.area_digest, area.piece_bits, area.parity, parsed.r, has_end, area.stripes,
          parsed.stripe);
  area.has_end = has_end == 1;
  if (in.overran() || has_end > 1 || !area.keeps_rules()) return std::nullopt;
  if (parsed.r >= area.parity || parsed.stripe >= area.stripes) return std::nullopt;
  if (kPrefixBytes + 8 + note.content.size() + kRecordCheckBytes != area.note_bytes(parsed.r, parsed.stripe))
    return std::nullopt;
  if (area.note_place(parsed.r, parsed.stripe) + area.bytes > note.offset) return std::nullopt;
  const auto parity = in.take(area.piece_bytes());
  parsed.parity.assign(parity.begin(), parity.end());
  if (!area.has_digests(parsed.r)) return parsed;
  for (std::uint32_t place = 0; place < area.pieces_of(parsed.stripe); ++place)
    parsed.digests.push_back(in.get<std::uint64_t>());
  const auto end = in.take(in.left());
  parsed.end.assign(end.begin(), end.end());
  return parsed;
}

std::vector<std::byte> end_numbers(const EndRecord& end) {
  const auto record = serialize(end);
  const auto numbers = std::span(record).subspan(kPrefixBytes, kEndNumbers);
  return {numbers.begin(), numbers.end()};
}

std::optional<EndRecord> end_from(const ParityNote& note) {
  if (note.end.empty()) return std::nullopt;
  const auto end = parse_end(build_record(RecordKind::end, note.tag, note.end), {}, note.offset);
  const std::uint64_t bytes = note.area_begin() + note.area.bytes + note.area.notes_bytes() + kEndLength;
  return end && end->stream_bytes == bytes ? std::optional(*end) : std::nullopt;
}

}  // namespace tdz::formats
