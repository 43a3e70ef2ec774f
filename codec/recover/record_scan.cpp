// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/record_scan.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "formats/bytes.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kWindowBytes = 1u << 20;
constexpr std::uint64_t kMarkOffset = 8;  // of the mark in a record
constexpr std::array kMark = {std::byte{'t'}, std::byte{'d'}, std::byte{'z'}, std::byte{0x1A}};

}  // namespace

Result<std::optional<ScannedRecord>> RecordScan::next(std::initializer_list<RecordKind> kinds,
                                                      std::uint64_t from, std::uint64_t limit) {
  for (;; ++from) {
    auto mark = next_mark(from, limit);
    if (!mark) return mark.error();
    if (*mark >= limit) return std::optional<ScannedRecord>();
    from = *mark;
    auto kind = kind_at(from, limit);
    if (!kind) return kind.error();
    if (!*kind || std::ranges::find(kinds, **kind) == kinds.end()) continue;
    auto record = read_record(file_, from, limit);
    if (!record && is_fatal(record.error())) return record.error();
    if (record && record_body(record->bytes, from))
      return std::optional(ScannedRecord{from, std::move(*record)});
  }
}

/// The kind of the record at `place`, if its prefix is intact. A record of an unwanted kind is then not read.
Result<std::optional<RecordKind>> RecordScan::kind_at(std::uint64_t place, std::uint64_t limit) {
  if (limit - place < kPrefixBytes) return std::optional<RecordKind>();
  std::array<std::byte, kPrefixBytes> head;
  if (auto done = file_.read_at(place, head); !done) return done.error();
  const auto prefix = parse_prefix(head, place);
  return prefix ? std::optional(prefix->kind) : std::nullopt;
}

/// Bytes of the file from `from` on, in memory: at least as many as a mark has, and none after `limit`.
Result<std::span<const std::byte>> RecordScan::window(std::uint64_t from, std::uint64_t limit) {
  const std::uint64_t end = window_at_ + window_.size();
  if (from < window_at_ || from + kMark.size() > end) {
    if (stop_.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, limit - from)));
    window_at_ = from;
    if (auto done = file_.read_at(from, window_); !done) {
      window_.clear();
      return done.error();
    }
  }
  const auto length = std::min(window_at_ + window_.size(), limit) - from;
  return std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(from - window_at_),
                                                     static_cast<std::size_t>(length));
}

/// The next offset at which a record may begin: the mark that all records have is in its place. `limit` if
/// there is none.
Result<std::uint64_t> RecordScan::next_mark(std::uint64_t from, std::uint64_t limit) {
  while (from < limit && limit - from >= kMarkOffset + kMark.size()) {
    auto bytes = window(from + kMarkOffset, limit);
    if (!bytes) return bytes.error();
    const auto hit = std::search(bytes->begin(), bytes->end(), kMark.begin(), kMark.end());
    if (hit != bytes->end()) return from + static_cast<std::uint64_t>(hit - bytes->begin());
    from += bytes->size() - (kMark.size() - 1);  // a mark may begin in one window and end in the next
  }
  return limit;
}

}  // namespace tdz
