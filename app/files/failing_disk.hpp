// SPDX-License-Identifier: Apache-2.0
// A file on a disk with unreadable blocks. Such a block counts as damage, so that recover continues after it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// Reads what it can. A block that cannot be read is filled with bytes that are not a record, not a frame
/// and, unlike zeros, not padding between streams.
class FailingDisk final : public RandomAccess {
 public:
  static constexpr std::uint64_t kBlock = 4096;  // the unit in which disks and the page cache fail

  /// `file` outlives this.
  explicit FailingDisk(RandomAccess& file) : file_(file) {}

  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

  /// How many bytes could not be read, and the error of the first read that failed.
  std::uint64_t unreadable_bytes() const;
  const std::optional<Error>& first_error() const { return first_error_; }
  /// Every read failed: this is an error of reading, not damage.
  bool nothing_was_read() const { return first_error_ && !anything_read_; }

 private:
  void read_block(std::uint64_t offset, std::span<std::byte> into);
  bool is_known_bad(std::uint64_t offset) const;
  void remember_bad(std::uint64_t offset, const Error& error);

  RandomAccess& file_;
  /// Ranges of bad blocks: the first block, and the one after the last. They are not read again, because a
  /// failing read takes seconds.
  std::map<std::uint64_t, std::uint64_t> bad_;
  std::optional<Error> first_error_;
  bool anything_read_ = false;
};

}  // namespace tdz::app
