// SPDX-License-Identifier: Apache-2.0
// Cuts an input into chunks: at whole tuples, at the end of a foreign header, and where a slow pipe has kept bytes waiting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/chunk/buffer.hpp"
#include "codec/pipe/flush_clock.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Where to cut; from CompressOptions.
struct CutRules {
  std::uint64_t raw_prefix = 0;    ///< bytes at the start that are no numbers
  std::uint32_t chunk_bytes = 0;   ///< longest chunk
  std::uint32_t unit_bytes = 1;    ///< a cut falls on a multiple of it: a tuple, a row, or a word; <= chunk_bytes
};

/// One chunk's bytes, and whether they belong to the raw prefix.
struct Cut {
  std::span<const std::byte> bytes;  ///< empty at the end of the input
  bool raw = false;
};

class ChunkCutter {
 public:
  /// `clock` says when a chunk ends early; it runs if bytes of `source` wait already.
  ChunkCutter(Source& source, const CutRules& rules, FlushClock clock = FlushClock());
  /// The next chunk, within `memory`. Not thread-safe.
  Result<Cut> next(Buffer& memory);

 private:
  std::size_t longest_chunk() const;
  /// Reads until `into` is full, the input ends, or a flush is due and there is a unit to flush. Returns how many bytes came.
  Result<std::size_t> read_chunk(std::span<std::byte> into);
  std::size_t carry_over(std::span<std::byte> bytes, std::size_t came);

  Source& source_;
  CutRules rules_;
  FlushClock clock_;
  std::uint64_t prefix_left_;
  bool ended_ = false;
  Buffer rest_memory_;  // a part of a tuple behind a flushed chunk: it opens the next one
  std::size_t rest_ = 0;
};

}  // namespace tdz
