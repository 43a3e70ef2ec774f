// SPDX-License-Identifier: Apache-2.0
// What every record shares beyond its shape (record.hpp): the kinds, and the order in which a reader judges it.
// FORMAT.md, sections 2
// and 5. Pure functions, thread-safe.
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
#include "formats/stream/record.hpp"

namespace tdz::formats {

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

/// A note's kind begins with a small letter.
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
