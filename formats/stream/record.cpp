// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/record.hpp"

#include <array>
#include <string>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"
#include "formats/error.hpp"

namespace tdz::formats {
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
  put_le(record, kRecordMagic, static_cast<std::uint32_t>(total - 8), kCookie, static_cast<std::uint32_t>(kind), tag);
  put_le(record, xxh3_64(record));
  put_bytes(record, body);
  pad_to_8(record);
  put_le(record, xxh3_64(record));
  return record;
}

}  // namespace tdz::formats
