// SPDX-License-Identifier: Apache-2.0
// --sparse: a file with holes instead of zeros.
#pragma once

#include <atomic>
#include <string>

#include "app/files/fd_io.hpp"

namespace tdz::app {

/// Writes only the blocks of a new file that are not all zero; finish() sets its length.
class SparseSink final : public Sink {
 public:
  /// `to` writes to `fd` at any offset, and outlives this.
  SparseSink(FdSink& to, int fd, std::string name) : to_(to), fd_(fd), name_(std::move(name)) {}

  Status write(std::span<const std::byte> bytes) override;
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;

  /// Call it after the last write. Error io.
  Status finish();

 private:
  FdSink& to_;
  int fd_;
  std::string name_;
  std::uint64_t at_ = 0;  ///< where write() continues
  std::atomic<std::uint64_t> end_ = 0;
};

}  // namespace tdz::app
