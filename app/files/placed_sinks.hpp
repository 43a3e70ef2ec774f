// SPDX-License-Identifier: Apache-2.0
// Sinks for a new file that write every byte to its place, and set the file's length at the end.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>

#include "app/files/fd_io.hpp"

namespace tdz::app {

/// The calls may come from several threads; each byte comes once.
class PlacedSink : public Sink {
 public:
  /// `to` writes to the file at any offset, and outlives this.
  explicit PlacedSink(FdSink& to) : to_(to) {}

  Status write(std::span<const std::byte> bytes) final;
  bool positioned() const final { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) final;

  /// Call it after the last write. Error io.
  Status finish() { return to_.set_length(end_); }

 protected:
  virtual Status put(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  FdSink& to_;

 private:
  std::uint64_t at_ = 0;  ///< where write() continues
  std::atomic<std::uint64_t> end_ = 0;
};

/// --sparse: holes instead of zeros. Writes only the blocks that are not all zero.
class SparseSink final : public PlacedSink {
 public:
  using PlacedSink::PlacedSink;

 private:
  Status put(std::uint64_t offset, std::span<const std::byte> bytes) override;
};

/// For a file in memory (tmpfs). There write() copies under a lock of the file, so one thread at a time; into
/// mapped pages all threads copy. The file gets its pages first, step by step: a mapped page that the system
/// cannot give ends a program. Where it gives no more, or does not map them, write() takes over, and reports
/// what is wrong.
class MappedSink final : public PlacedSink {
 public:
  static constexpr std::size_t kStep = std::size_t{64} << 20;
  /// `fd` is the file of `to`. `step`: a multiple of the page; the first one is left to write(), so that a
  /// short file takes no page too many.
  MappedSink(FdSink& to, int fd, std::size_t step = kStep) : PlacedSink(to), fd_(fd), step_bytes_(step) {}
  ~MappedSink() override;

  /// Whether fallocate gives a file there pages that it keeps.
  static bool suits(int fd);

 private:
  /// Bytes of the file, mapped until all of them are written.
  struct Step {
    std::byte* pages = nullptr;
    std::atomic<std::size_t> missing = 0;
  };

  Status put(std::uint64_t offset, std::span<const std::byte> bytes) override;
  Step* step(std::uint64_t number);
  Step* known(std::uint64_t number, bool& last);
  void add_step();

  int fd_;
  std::size_t step_bytes_;
  std::mutex adding_;       ///< held while the file gets pages
  std::mutex mutex_;        ///< of what follows
  std::deque<Step> steps_;  ///< from the second on
  std::atomic<bool> no_more_ = false;
};

}  // namespace tdz::app
