// SPDX-License-Identifier: Apache-2.0
// A Source read in whole pieces, with the position that error messages need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/chunk/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class ExactReader {
 public:
  explicit ExactReader(Source& source) : source_(source) {}

  /// Bytes read so far.
  std::uint64_t position() const { return position_; }
  /// Reads until `into` is full or the input ends; returns how many bytes came.
  Result<std::size_t> read_up_to(std::span<std::byte> into);
  /// Fills all of `into`, or Error truncated.
  Status read(std::span<std::byte> into);
  /// The same into memory that grows as the bytes arrive: a length that a file merely claims allocates no more than
  /// twice what really came. The first `keep` bytes of `memory` stay in front.
  Result<std::span<std::byte>> read_claimed(Buffer& memory, std::size_t keep, std::size_t bytes);

 private:
  Source& source_;
  std::uint64_t position_ = 0;
};

}  // namespace tdz
