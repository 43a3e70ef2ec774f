// SPDX-License-Identifier: Apache-2.0
// Reads exact lengths from a Source and counts the position for error messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/chunk/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The error for an input that ends at `position`, before the end of its stream.
Error ends_too_early(std::uint64_t position);

class ExactReader {
 public:
  explicit ExactReader(Source& source) : source_(source) {}

  /// Bytes read so far.
  std::uint64_t position() const { return position_; }
  /// Reads until `into` is full or the input ends. Returns the number of bytes read.
  Result<std::size_t> read_up_to(std::span<std::byte> into);
  /// Fills all of `into`. Error truncated if the input ends before.
  Status read(std::span<std::byte> into);
  /// Reads `bytes` bytes into `memory`, after its first `keep` bytes, which stay. The length may be wrong in
  /// a damaged file: the memory grows as the bytes arrive, to 4 MiB first and then to at most twice what was
  /// read.
  Result<std::span<std::byte>> read_claimed(Buffer& memory, std::size_t keep, std::size_t bytes);
  /// Counts bytes of the source that someone else passed over.
  void add_passed(std::uint64_t bytes) { position_ += bytes; }

 private:
  Source& source_;
  std::uint64_t position_ = 0;
};

}  // namespace tdz
