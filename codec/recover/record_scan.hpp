// SPDX-License-Identifier: Apache-2.0
// Finds the records of a damaged file: all whose checks hold. The scan skips the inside of records, and the
// frames of a chunk if the next record of its stream stands where they end: nothing there can belong to a
// stream of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "codec/recover/groups.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// True for an error that ends the recovery: the file cannot be read, memory is missing, or the caller asked
/// to stop. Every other error means damage, and the recovery continues.
inline bool is_fatal(const Error& error) {
  return error.kind == ErrorKind::io || error.kind == ErrorKind::limit || error.kind == ErrorKind::cancelled;
}

class RecordScan {
 public:
  explicit RecordScan(RandomAccess& file, std::stop_token stop = {}) : file_(file), stop_(std::move(stop)) {}
  /// `seen` gets every record whose check holds, in the order of the file, with its bytes.
  using Watcher = std::function<void(formats::RecordKind, const Place&, std::span<const std::byte>)>;
  void watch(Watcher seen) { seen_ = std::move(seen); }
  /// Reads the file once, or less. Errors: io, limit, cancelled.
  Status run(Grouping& into);
  /// The scan stopped early: checks that failed have cost too much. Only a file made for it does this.
  bool gave_up() const { return failed_bytes_ > most_failed_bytes(); }
  /// The first record that a later version may have written.
  const std::optional<Error>& unsupported() const { return unsupported_; }

 private:
  struct Record {
    formats::RecordKind kind{};
    Place place;
    std::vector<std::byte> bytes;
  };
  std::uint64_t most_failed_bytes() const;
  Result<std::optional<std::uint64_t>> next_magic(std::uint64_t from);
  Result<std::span<const std::byte>> window(std::uint64_t from);
  Result<const Record*> record_at(std::uint64_t where);
  Result<Record> read_record(std::uint64_t where);
  Result<std::uint64_t> take(const Record& record, Grouping& into);
  Result<std::uint64_t> take_chunk(Record record, Grouping& into);
  Result<bool> next_record_is_at(std::uint64_t where, const Place& place);
  void take_header(const Record& record, Grouping& into);
  void note(const Error& error);

  RandomAccess& file_;
  std::stop_token stop_;
  Watcher seen_;
  std::optional<Error> unsupported_;
  std::uint64_t failed_bytes_ = 0;
  std::optional<Record> record_;   // the last one that was read
  std::vector<std::byte> window_;  // bytes of the file from window_at_ on
  std::uint64_t window_at_ = 0;
};

}  // namespace tdz
