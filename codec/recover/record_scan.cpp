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
constexpr std::uint64_t kMarkOffset = 8;  // of the cookie in a record
constexpr std::size_t kMarkBytes = 8;

/// What every record of a kind has at kMarkOffset: tdz's cookie and the kind.
std::array<std::byte, kMarkBytes> mark_of(RecordKind kind) {
  std::array<std::byte, kMarkBytes> mark;
  const auto record = build_record(kind, 0, {});
  std::copy_n(record.begin() + kMarkOffset, kMarkBytes, mark.begin());
  return mark;
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

/// What of the file from `from` on is at hand; at least a mark, if there is one before the limit.
Result<std::span<const std::byte>> RecordScan::window(std::uint64_t from, std::uint64_t limit) {
  const std::uint64_t end = window_at_ + window_.size();
  if (from < window_at_ || from + kMarkBytes > end) {
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

/// Where a record of this kind may begin: its mark stands there. `limit` if there is none.
Result<std::uint64_t> RecordScan::next_mark(RecordKind kind, std::uint64_t from, std::uint64_t limit) {
  const auto mark = mark_of(kind);
  while (from < limit && limit - from >= kMarkOffset + kMarkBytes) {
    auto bytes = window(from + kMarkOffset, limit);
    if (!bytes) return bytes.error();
    const auto hit = std::search(bytes->begin(), bytes->end(), mark.begin(), mark.end());
    if (hit != bytes->end()) return from + static_cast<std::uint64_t>(hit - bytes->begin());
    from += bytes->size() - (kMarkBytes - 1);  // a mark may straddle two windows
  }
  return limit;
}

}  // namespace tdz
