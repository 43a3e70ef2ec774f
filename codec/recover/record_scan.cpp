// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/record_scan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/plan/plan_bytes.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kWindowBytes = 1u << 20;
/// kRecordMagic as it stands in a file.
constexpr std::array<char, 4> kMagicBytes{
    static_cast<char>(kRecordMagic & 0xFF), static_cast<char>(kRecordMagic >> 8 & 0xFF),
    static_cast<char>(kRecordMagic >> 16 & 0xFF), static_cast<char>(kRecordMagic >> 24)};
constexpr std::string_view kMagic(kMagicBytes.data(), kMagicBytes.size());
constexpr std::uint64_t kFarthest = std::uint64_t{1} << 62;  // no file reaches there; sums stay below 2^64
constexpr Allowed kAll{.header = true, .chunk = true, .index = true, .end = true, .note = true};

/// The field after the prefix: the record's offset in its stream, or END's stream bytes. HDR has none.
Place place_of(const formats::RecordPrefix& prefix, std::span<const std::byte> record, std::uint64_t where) {
  const std::uint64_t record_end = where + prefix.total_bytes;
  const auto field = formats::get_le<std::uint64_t>(record.subspan(kPrefixBytes, 8));
  const std::uint64_t from = prefix.kind == RecordKind::end ? record_end : where;
  if (prefix.kind == RecordKind::header || field > kFarthest)
    return {.where = where, .record_end = record_end};
  return {prefix.tag, static_cast<std::int64_t>(from) - static_cast<std::int64_t>(field), where, record_end};
}

/// A later version's HDR has another tag, but the same shape.
bool is_header(const formats::RecordPrefix& prefix) {
  return prefix.kind == RecordKind::header && prefix.total_bytes >= kHeaderLength.least &&
         prefix.total_bytes <= kHeaderLength.most;
}

bool belong_together(const Place& a, const Place& b) {
  return a.tag == b.tag && a.begin == b.begin;
}

}  // namespace

Status RecordScan::run(Grouping& into) {
  for (std::uint64_t at = 0; at < file_.size() && !gave_up();) {
    if (stop_.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    auto record = record_at(at);
    if (!record) return record.error();
    if (*record != nullptr) {
      auto next = take(**record, into);
      if (!next) return next.error();
      at = *next;
      continue;
    }
    auto next = next_magic(at + 1);
    if (!next) return next.error();
    if (!*next) break;
    at = **next;
  }
  return ok();
}

// ---- One record -------------------------------------------------------------------------------------------

/// Null if no record stands there, or if its checks fail.
Result<const RecordScan::Record*> RecordScan::record_at(std::uint64_t where) {
  if (record_ && record_->place.where == where) return &*record_;
  auto record = read_record(where);
  if (!record) return is_fatal(record.error()) ? Result<const Record*>(record.error()) : nullptr;
  record_ = *std::move(record);
  return &*record_;
}

Result<RecordScan::Record> RecordScan::read_record(std::uint64_t where) {
  if (file_.size() - where < kPrefixBytes) return truncated("no room for a record", where);
  Record record;
  record.bytes.resize(kPrefixBytes);
  if (auto done = file_.read_at(where, record.bytes); !done) return done.error();
  const auto prefix = formats::read_prefix(record.bytes, where);
  if (!prefix) return prefix.error();
  const auto judged = parse_prefix(record.bytes, kAll, where);
  if (!judged && !is_header(*prefix)) return judged.error();
  if (prefix->total_bytes > file_.size() - where) return truncated("a part of a record", where);
  record.bytes.resize(static_cast<std::size_t>(prefix->total_bytes));
  if (auto done = file_.read_at(where, record.bytes); !done) return done.error();
  if (const auto body = formats::record_body(record.bytes, where); !body) {
    failed_bytes_ += record.bytes.size();
    return body.error();
  }
  record.kind = prefix->kind;
  record.place = place_of(*prefix, record.bytes, where);
  return record;
}

/// Where the scan goes on.
Result<std::uint64_t> RecordScan::take(const Record& record, Grouping& into) {
  const Place& place = record.place;
  if (seen_) seen_(record.kind, place, record.bytes);
  if (record.kind == RecordKind::header) {
    take_header(record, into);
  } else if (place.tag == 0) {
    return place.record_end;  // of a lone block
  } else if (record.kind == RecordKind::chunk) {
    return take_chunk(record, into);
  } else if (record.kind == RecordKind::index) {
    const auto plan_length = [](std::span<const std::byte> plans) { return formats::plan_length(plans); };
    const auto part = parse_index(record.bytes, plan_length, place.where);
    if (!part) note(part.error());
    if (part && part->first_chunk < kFarthest) into.add(place, *part);
  } else if (record.kind == RecordKind::end) {
    const auto end = parse_end(record.bytes, EndRules{}, place.where);
    if (!end) note(end.error());
    if (end) into.add(place, *end);
  } else {
    into.add(place);
  }
  return place.record_end;
}

Result<std::uint64_t> RecordScan::take_chunk(Record record, Grouping& into) {
  const Place& place = record.place;
  const auto chunk = parse_chunk(record.bytes, ChunkRules{}, place.where);
  if (!chunk) note(chunk.error());
  if (!chunk || chunk->number >= kFarthest || chunk->original_offset >= kFarthest) return place.record_end;
  const FoundChunk found{place.where,
                         chunk->number,
                         chunk->original_offset,
                         chunk->digest,
                         chunk->chain,
                         chunk->original_bytes,
                         static_cast<std::uint32_t>(record.bytes.size()),
                         static_cast<std::uint32_t>(packed_bytes(*chunk))};
  into.add(place, found);
  const auto next_follows = next_record_is_at(found.frames_end(), place);
  if (!next_follows) return next_follows.error();
  return *next_follows ? found.frames_end() : place.record_end;
}

/// Does the next record of the same stream stand there? Its first bytes say whose it is. They are read first,
/// because the frames of many chunks may end at one long record of another stream.
Result<bool> RecordScan::next_record_is_at(std::uint64_t where, const Place& place) {
  std::array<std::byte, kPrefixBytes + 8> head;
  if (where >= file_.size() || file_.size() - where < head.size()) return false;
  if (auto done = file_.read_at(where, head); !done) return done.error();
  const auto prefix = formats::read_prefix(head, where);
  if (!prefix || !belong_together(place_of(*prefix, head, where), place)) return false;
  auto next = record_at(where);
  if (!next) return next.error();
  return *next != nullptr;
}

void RecordScan::take_header(const Record& record, Grouping& into) {
  FoundHeader found{.where = record.place.where, .record = record.bytes};
  const auto header = parse_header(record.bytes, found.where);
  if (header) found.header = *header;
  if (!header) note(header.error());
  into.add(std::move(found));
}

void RecordScan::note(const Error& error) {
  if (!unsupported_ && error.kind == ErrorKind::unsupported) unsupported_ = error;
}

// ---- The search -------------------------------------------------------------------------------------------

std::uint64_t RecordScan::most_failed_bytes() const {
  return 16 * file_.size();
}

/// Where a record may begin.
Result<std::optional<std::uint64_t>> RecordScan::next_magic(std::uint64_t from) {
  while (from < file_.size() && file_.size() - from >= kPrefixBytes) {
    auto bytes = window(from);
    if (!bytes) return bytes.error();
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const auto hit = text.find(kMagic);
    if (hit != text.npos) return std::optional(from + hit);
    from += bytes->size() - (kMagic.size() - 1);  // a magic may begin in one window and end in the next
  }
  return std::optional<std::uint64_t>();
}

/// Bytes of the file from `from` on, at least as many as a magic has.
Result<std::span<const std::byte>> RecordScan::window(std::uint64_t from) {
  if (from < window_at_ || from + kMagic.size() > window_at_ + window_.size()) {
    if (stop_.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, file_.size() - from)));
    window_at_ = from;
    if (auto done = file_.read_at(from, window_); !done) {
      window_.clear();
      return done.error();
    }
  }
  return std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(from - window_at_));
}

}  // namespace tdz
