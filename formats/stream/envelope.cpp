// SPDX-License-Identifier: Apache-2.0
#include "formats/stream/envelope.hpp"

#include "formats/stream/header.hpp"

namespace tdz::formats {
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
