// SPDX-License-Identifier: Apache-2.0
// What every record of format 1.0 shares: its shape, and the order in which a reader judges it. The shape is
// the one of formats/record.hpp; kinds, lengths and HDR's tag differ. docs/notes/format-1.0.md, sections 2
// and 5. Pure functions, thread-safe.
#pragma once

#include "formats/record_fields.hpp"
#include "formats/stream/limits.hpp"

namespace tdz::formats::v1 {

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

}  // namespace tdz::formats::v1
