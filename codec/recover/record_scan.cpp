// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/record_scan.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "formats/bytes.hpp"

namespace tdz {

using namespace formats;

namespace {

constexpr std::uint64_t kWindowBytes = 1u << 20;
constexpr std::uint64_t kMarkOffset = 8;  // of the cookie in a record

/// The eight bytes that every record of a kind has at kMarkOffset: tdz's cookie and the kind.
std::vector<std::byte> mark_of(RecordKind kind) {
  const auto record = build_record(kind, 0, {});
  const auto mark = std::span(record).subspan(kMarkOffset, 8);
  return {mark.begin(), mark.end()};
}

}  // namespace

Result<std::optional<ScannedRecord>> RecordScan::next(RecordKind kind, std::uint64_t from,
                                                      std::uint64_t limit) {
  for (;; ++from) {
    auto mark = next_mark(kind, from, limit);
    if (!mark) return mark.error();
    if (*mark >= limit) return std::optional<ScannedRecord>();
    from = *mark;
    auto record = read_record(file_, from, limit);
    if (!record && is_fatal(record.error())) return record.error();
    if (record && record->prefix.kind == kind && record_body(record->bytes, from)) {
      return std::optional(ScannedRecord{from, std::move(*record)});
    }
  }
}

/// Where a record of this kind may begin: its mark stands there. `limit` if there is none.
Result<std::uint64_t> RecordScan::next_mark(RecordKind kind, std::uint64_t from, std::uint64_t limit) {
  const auto mark = mark_of(kind);
  const std::boyer_moore_horspool_searcher searcher(mark.begin(), mark.end(), [](std::byte b) {
    return std::hash<unsigned char>{}(std::to_integer<unsigned char>(b));
  });
  while (from < limit && limit - from >= kMarkOffset + mark.size()) {
    window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, limit - from - kMarkOffset)));
    if (auto done = file_.read_at(from + kMarkOffset, window_); !done) return done.error();
    const auto hit = std::search(window_.begin(), window_.end(), searcher);
    if (hit != window_.end()) return from + static_cast<std::uint64_t>(hit - window_.begin());
    from += window_.size() - (mark.size() - 1);  // a mark may straddle two windows
  }
  return limit;
}

}  // namespace tdz
