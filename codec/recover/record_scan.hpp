// SPDX-License-Identifier: Apache-2.0
// Searches for records byte by byte, where damage has hidden their places. A record that it finds is intact
// and of a wanted kind. Nothing else is known: the record may belong to a .tdz file inside the original.
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

/// True for an error that ends the recovery: the file cannot be read, memory is missing, or the caller asked
/// to stop. Every other error means damage, and the recovery continues.
inline bool is_fatal(const Error& error) {
  return error.kind == ErrorKind::io || error.kind == ErrorKind::limit || error.kind == ErrorKind::cancelled;
}

/// An intact record at some offset of a file.
struct ScannedRecord {
  std::uint64_t where = 0;
  RawRecord record;
};

class RecordScan {
 public:
  explicit RecordScan(RandomAccess& file, std::stop_token stop = {}) : file_(file), stop_(std::move(stop)) {}
  /// The first intact record of one of these kinds that begins at or after `from` and ends at or before
  /// `limit`. Nothing if there is none. Errors: io, limit, cancelled.
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
  std::vector<std::byte> window_;  // bytes of the file from window_at_ on, kept for the next search
  std::uint64_t window_at_ = 0;
};

}  // namespace tdz
