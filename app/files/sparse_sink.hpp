// SPDX-License-Identifier: Apache-2.0
// --sparse: a file with holes where there would be zeros.
#pragma once

#include <atomic>
#include <string>

#include "app/files/fd_io.hpp"

namespace tdz::app {

/// Writes to a new file whatever is not zero, in blocks; finish() gives it its length.
class SparseSink final : public Sink {
 public:
  /// `to` writes to `fd` at any place, and outlives this.
  SparseSink(FdSink& to, int fd, std::string name) : to_(to), fd_(fd), name_(std::move(name)) {}

  Status write(std::span<const std::byte> bytes) override;
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;

  /// When all is written. Error io.
  Status finish();

 private:
  FdSink& to_;
  int fd_;
  std::string name_;
  std::uint64_t at_ = 0;  ///< of write
  std::atomic<std::uint64_t> end_ = 0;
};

}  // namespace tdz::app
