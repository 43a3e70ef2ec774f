// SPDX-License-Identifier: Apache-2.0
// File descriptors as the library's Source, Sink and RandomAccess. They do not own the descriptors.
#pragma once

#include <string>

#include "app/files/interrupts.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

class FdRandomAccess final : public RandomAccess {
 public:
  /// The file from the descriptor's offset on. A regular file whose size the system states wrongly is read to
  /// its end once, to find out how long it is. Errors: usage (the descriptor cannot seek, as for a pipe), io.
  static Result<FdRandomAccess> open(int fd);

  std::uint64_t size() const override { return size_; }
  bool parallel_reads() const override { return true; }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  friend class FdSource;
  FdRandomAccess(int fd, std::uint64_t begin, std::uint64_t size) : fd_(fd), begin_(begin), size_(size) {}

  int fd_;
  std::uint64_t begin_;
  std::uint64_t size_;
};

/// Reads from the descriptor's offset on. Of a regular file it reads only the bytes that were there when it
/// was opened, so that a growing file has an end. A stop request wakes a read that waits.
///
/// The system does not know the size of every regular file: it states 4096 bytes for files in /sys, and none
/// for files in /proc. Such a file is read like a pipe, to its end.
class FdSource final : public Source {
 public:
  FdSource(int fd, const Interrupts& interrupts);

  Result<std::size_t> read(std::span<std::byte> into) override;
  bool ready_within(std::chrono::milliseconds time) override;
  /// The bytes from the offset to the end of a regular file. Nothing if its stated size is 0 or wrong.
  std::optional<std::uint64_t> size() const override { return size_; }
  /// Of a regular file whose stated size is 0: known when it has been read.
  bool size_is_wrong() const { return is_file_ && !size_ && (came_ > 0 || stated_ > 0); }
  RandomAccess* random_access() override { return random_ ? &*random_ : nullptr; }

 private:
  bool wait(int milliseconds) const;

  int fd_;
  const Interrupts& interrupts_;
  bool is_file_ = false;
  off_t stated_ = 0;  ///< the size of the file, as the system states it
  std::optional<std::uint64_t> size_;
  std::uint64_t came_ = 0;
  std::optional<FdRandomAccess> random_;  ///< of a regular file
};

/// Where writes go: one after another, or to the offsets that the caller gives.
enum class Placement : std::uint8_t { in_order, anywhere };

/// `anywhere` is for an empty regular file whose offset is 0.
class FdSink final : public Sink {
 public:
  FdSink(int fd, std::string name, Placement placement, Interrupts& interrupts);

  Status write(std::span<const std::byte> bytes) override;
  bool positioned() const override { return placement_ == Placement::anywhere; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  /// Of a file. Error io.
  Status set_length(std::uint64_t bytes);

 private:
  Status failed(int cause);

  int fd_;
  std::string name_;
  Placement placement_;
  Interrupts& interrupts_;
};

}  // namespace tdz::app
