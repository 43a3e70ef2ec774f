// SPDX-License-Identifier: Apache-2.0
// Looks for records byte by byte, where nothing says any more where they stand. What it finds is whole and of
// a kind asked for, and nothing else is known of it: it may belong to a stream that was compressed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "codec/stream/stream_index.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Does the file itself fail (or memory, or nobody wants it any more), so that looking on is in vain? All
/// else is damage, and to be lived with.
inline bool is_fatal(const Error& error) {
  return error.kind == ErrorKind::io || error.kind == ErrorKind::limit || error.kind == ErrorKind::cancelled;
}

/// A sound record somewhere in a file.
struct ScannedRecord {
  std::uint64_t where = 0;
  RawRecord record;
};

class RecordScan {
 public:
  explicit RecordScan(RandomAccess& file, std::stop_token stop = {}) : file_(file), stop_(std::move(stop)) {}
  /// The first sound record of one of these kinds that begins at or behind `from` and ends before `limit`.
  Result<std::optional<ScannedRecord>> next(std::initializer_list<formats::RecordKind> kinds,
                                            std::uint64_t from, std::uint64_t limit);
  Result<std::optional<ScannedRecord>> next(formats::RecordKind kind, std::uint64_t from,
                                            std::uint64_t limit) {
    return next({kind}, from, limit);
  }

 private:
  Result<std::optional<formats::RecordKind>> kind_at(std::uint64_t place, std::uint64_t limit);
  Result<std::uint64_t> next_mark(std::uint64_t from, std::uint64_t limit);
  Result<std::span<const std::byte>> window(std::uint64_t from, std::uint64_t limit);

  RandomAccess& file_;
  std::stop_token stop_;
  std::vector<std::byte>
      window_;  // of the file, from window_at_ on; searches that follow one another share it
  std::uint64_t window_at_ = 0;
};

}  // namespace tdz
