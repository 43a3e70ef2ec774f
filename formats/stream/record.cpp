// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/record.hpp"

#include <array>
#include <string>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"
#include "formats/error.hpp"
#include "formats/stream/stream_records.hpp"

namespace tdz::formats {

// ---- The shape of a record

namespace {

constexpr std::uint32_t kCookie = 0x1A7A6474;  // "tdz" and 0x1A, at which a terminal stops printing
constexpr std::size_t kCheckedPrefix = kPrefixBytes - kCheckBytes;

// Compares as many bytes as there are. So a short file of another kind is corrupt, and the beginning of a tdz
// file is truncated.
bool begins_like_record(std::span<const std::byte> bytes) {
  std::array<std::byte, 12> expected{};
  set_le(std::span(expected).subspan(0, 4), kRecordMagic);
  set_le(std::span(expected).subspan(8, 4), kCookie);
  for (std::size_t i = 0; i < expected.size() && i < bytes.size(); ++i) {
    const bool is_length = i >= 4 && i < 8;
    if (!is_length && bytes[i] != expected[i]) return false;
  }
  return true;
}

std::string first_bytes_in_hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 12))) {
    if (!text.empty()) text += ' ';
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::uint64_t total_length(std::span<const std::byte> record) {
  return 8 + std::uint64_t{get_le<std::uint32_t>(record.subspan(4))};
}

}  // namespace

bool looks_like_record(std::span<const std::byte> bytes) {
  return bytes.size() >= 16 && begins_like_record(bytes);
}

Result<RecordPrefix> read_prefix(std::span<const std::byte> bytes, std::uint64_t where) {
  if (!begins_like_record(bytes)) {
    return corrupt(
        "expected a tdz record (5A 2A 4D 18 ?? ?? ?? ?? 74 64 7A 1A), found " + first_bytes_in_hex(bytes),
        where);
  }
  if (bytes.size() < kPrefixBytes) {
    return truncated("a record needs 32 bytes at least, " + std::to_string(bytes.size()) + " are left",
                     where);
  }
  if (xxh3_64(bytes.first(kCheckedPrefix)) != get_le<std::uint64_t>(bytes.subspan(kCheckedPrefix))) {
    return corrupt("the first 32 bytes of a record fail their check", where);
  }
  return RecordPrefix{RecordKind{get_le<std::uint32_t>(bytes.subspan(12))}, total_length(bytes),
                      get_le<std::uint64_t>(bytes.subspan(16))};
}

Result<std::span<const std::byte>> record_body(std::span<const std::byte> record, std::uint64_t where) {
  if (record.size() < kPrefixBytes + kCheckBytes || record.size() < total_length(record)) {
    return truncated("only " + std::to_string(record.size()) + " bytes of a record are left", where);
  }
  if (record.size() != total_length(record)) {
    return corrupt("a record of " + std::to_string(total_length(record)) + " bytes in a span of " +
                       std::to_string(record.size()),
                   where);
  }
  const auto checked = record.first(record.size() - kCheckBytes);
  if (xxh3_64(checked) != get_le<std::uint64_t>(record.last(kCheckBytes))) {
    return corrupt("a record fails its check", where);
  }
  return checked.subspan(kPrefixBytes);
}

std::vector<std::byte> build_record(RecordKind kind, std::uint64_t tag, std::span<const std::byte> body) {
  const std::uint64_t total = kPrefixBytes + round_up_8(body.size()) + kCheckBytes;
  std::vector<std::byte> record;
  record.reserve(static_cast<std::size_t>(total));
  put_le(record, kRecordMagic, static_cast<std::uint32_t>(total - 8), kCookie,
         static_cast<std::uint32_t>(kind), tag);
  put_le(record, xxh3_64(record));
  put_bytes(record, body);
  pad_to_8(record);
  put_le(record, xxh3_64(record));
  return record;
}

// ---- Judging a record

namespace {

bool is_known(RecordKind kind) {
  return kind == RecordKind::header || kind == RecordKind::chunk || kind == RecordKind::index ||
         kind == RecordKind::end || is_note(kind);
}

bool may_stand_here(RecordKind kind, Allowed allowed) {
  return (kind == RecordKind::header && allowed.header) || (kind == RecordKind::chunk && allowed.chunk) ||
         (kind == RecordKind::index && allowed.index) || (kind == RecordKind::end && allowed.end) ||
         (is_note(kind) && allowed.note);
}

/// Precondition: is_known(kind).
LengthRange lengths_of(RecordKind kind) {
  if (kind == RecordKind::header) return kHeaderLength;
  if (kind == RecordKind::chunk) return kChunkLength;
  if (kind == RecordKind::index) return kIndexLength;
  if (kind == RecordKind::end) return {kEndLength, kEndLength};
  return kNoteLength;
}

bool length_fits(const RecordPrefix& prefix) {
  const LengthRange range = lengths_of(prefix.kind);
  return prefix.total_bytes % 8 == 0 && prefix.total_bytes >= range.least && prefix.total_bytes <= range.most;
}

}  // namespace

std::string_view record_name(RecordKind kind) {
  switch (kind) {
    case RecordKind::header:
      return "HDR";
    case RecordKind::chunk:
      return "CHK";
    case RecordKind::index:
      return "INDX";
    case RecordKind::end:
      return "END";
  }
  return "unknown";
}

Error OpenRecord::corrupt(const std::string& what) const {
  return tdz::corrupt(std::string(record_name(kind)) + " record: " + what, where);
}

Error OpenRecord::unsupported(const std::string& what) const {
  return tdz::unsupported(std::string(record_name(kind)) + " record: " + what, where);
}

Fault read_padding(OpenRecord& in) {
  const auto padding =
      in.body.take(static_cast<std::size_t>(round_up_8(in.body.position()) - in.body.position()));
  if (in.body.overran()) return in.corrupt("too short");
  if (!all_zero(padding)) return in.unsupported("padding is not zero");
  return {};
}

bool is_note(RecordKind kind) {
  const auto first = static_cast<std::uint32_t>(kind) & 0xFF;
  return first >= 'a' && first <= 'z';
}

Result<RecordPrefix> parse_prefix(std::span<const std::byte> bytes, Allowed allowed, std::uint64_t where) {
  const auto prefix = read_prefix(bytes, where);
  if (!prefix) return prefix.error();
  if (prefix->kind == RecordKind::header) {
    if (auto fault = check_header_tag(prefix->tag, where)) return *fault;
  }
  if (!is_known(prefix->kind)) return unsupported("a record of unknown kind", where);
  if (!may_stand_here(prefix->kind, allowed)) {
    return corrupt("a record that may not stand here: " + std::string(record_name(prefix->kind)), where);
  }
  if (!length_fits(*prefix)) {
    return corrupt("a record of " + std::to_string(prefix->total_bytes) +
                       " bytes, but its kind does not allow this length",
                   where);
  }
  return *prefix;
}

Result<OpenRecord> open_record(std::span<const std::byte> record, Allowed allowed, std::uint64_t where) {
  const auto prefix = parse_prefix(record, allowed, where);
  if (!prefix) return prefix.error();
  const auto body = record_body(record, where);
  if (!body) return body.error();
  return OpenRecord{prefix->kind, prefix->tag, where, ByteReader(*body)};
}

}  // namespace tdz::formats
