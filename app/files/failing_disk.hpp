// SPDX-License-Identifier: Apache-2.0
// A file on a disk that fails in places: what cannot be read is taken for damage, so that recover goes on
// behind it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// Reads what it can. In the place of a block that cannot be read stand bytes that are no record, no frame
/// and, unlike zeros, no padding between streams.
class FailingDisk final : public RandomAccess {
 public:
  static constexpr std::uint64_t kBlock = 4096;  // what disks and the page cache lose at once

  /// `file` outlives this.
  explicit FailingDisk(RandomAccess& file) : file_(file) {}

  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

  /// How much could not be read, and why the first of it could not.
  std::uint64_t unreadable_bytes() const;
  const std::optional<Error>& first_error() const { return first_error_; }
  /// Then it is no damage that is to be reported.
  bool nothing_was_read() const { return first_error_ && !anything_read_; }

 private:
  void read_block(std::uint64_t offset, std::span<std::byte> into);
  bool is_known_bad(std::uint64_t offset) const;
  void remember_bad(std::uint64_t offset, const Error& error);

  RandomAccess& file_;
  std::map<std::uint64_t, std::uint64_t>
      bad_;  ///< first block to the one behind; asking a disk again takes seconds
  std::optional<Error> first_error_;
  bool anything_read_ = false;
};

}  // namespace tdz::app
