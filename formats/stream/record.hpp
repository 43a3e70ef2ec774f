// SPDX-License-Identifier: Apache-2.0
// What all tdz records have in common: their shape, their kinds, and the order in which a reader judges them.
// A record is a zstd skippable frame, and its first 32 bytes have a check of their own. So a reader can trust
// the kind and length of a record before it reads the rest. FORMAT.md, "Records", sections 2 and 5. Pure
// functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/error.hpp"
#include "formats/stream/limits.hpp"

namespace tdz::formats {

// ---- The shape of a record

inline constexpr std::uint32_t kRecordMagic = 0x184D2A5A;
inline constexpr std::size_t kPrefixBytes = 32;
inline constexpr std::size_t kCheckBytes = 8;

/// The second half of the cookie: four ASCII letters in the file.
enum class RecordKind : std::uint32_t {
  header = 0x20524448,  // "HDR "
  chunk = 0x204B4843,   // "CHK "
  index = 0x58444E49,   // "INDX"
  end = 0x20444E45,     // "END "
};

/// What the first 32 bytes say. `tag` is the stream id; in HDR it is version and features.
struct RecordPrefix {
  RecordKind kind = RecordKind::header;
  std::uint64_t total_bytes = 0;  ///< of the whole record, including prefix and final check
  std::uint64_t tag = 0;
};

/// Whether these bytes look like the start of a record (magic and the tdz half of the cookie). Needs 16
/// bytes.
bool looks_like_record(std::span<const std::byte> bytes);

/// What holds for records of every format: magic, cookie, 32 bytes, their check. Judges neither kind nor
/// length. `where` is the record's offset, for the message. Errors: corrupt, or truncated (fewer than 32
/// bytes).
Result<RecordPrefix> read_prefix(std::span<const std::byte> bytes, std::uint64_t where);

/// Verifies the final check of a whole record. Its prefix was parsed before. The body lies between prefix and
/// check.
Result<std::span<const std::byte>> record_body(std::span<const std::byte> record, std::uint64_t where);

/// Builds a record: prefix, body, zeros up to a multiple of 8, check.
std::vector<std::byte> build_record(RecordKind kind, std::uint64_t tag, std::span<const std::byte> body);

// ---- Judging a record

/// "HDR", "CHK" ... for messages.
std::string_view record_name(RecordKind kind);

/// The body of a record that passed its checks, and functions that make errors about it.
struct OpenRecord {
  RecordKind kind;
  std::uint64_t tag;
  std::uint64_t where;
  ByteReader body;

  Error corrupt(const std::string& what) const;
  Error unsupported(const std::string& what) const;
};

/// Which kinds the grammar allows at a place.
struct Allowed {
  bool header = false;
  bool chunk = false;
  bool index = false;
  bool end = false;
  bool note = false;
};

/// A note's kind begins with a small letter. "prty" is parity (formats/stream/parity.hpp).
bool is_note(RecordKind kind);

/// Judges the first 32 bytes of a record: magic and cookie, length of the bytes, check, HDR's tag, kind,
/// place, length of the record. A reader calls this first: then it knows how many bytes the record has.
/// `where` is an offset for the message.
Result<RecordPrefix> parse_prefix(std::span<const std::byte> bytes, Allowed allowed, std::uint64_t where);

/// parse_prefix, and then: all bytes are there, and the check holds.
Result<OpenRecord> open_record(std::span<const std::byte> record, Allowed allowed, std::uint64_t where);

/// Zeros up to a multiple of 8 in the body. That is a multiple of 8 in the record too.
Fault read_padding(OpenRecord& in);

}  // namespace tdz::formats
