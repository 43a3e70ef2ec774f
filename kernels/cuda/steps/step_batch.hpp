// SPDX-License-Identifier: Apache-2.0
// The chunks of one launch that undoes a step: equal columns of many chunks. Plain values, for host and
// device. All pointers are device pointers, and nothing needs an alignment (words and rows that are aligned
// to their width are faster).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::cuda {

/// How the words of a column lie in memory: `words` of them side by side, one such row every `bytes` bytes.
struct RowShape {
  std::uint32_t bytes = 0;  ///< 0: all words side by side
  std::uint32_t words = 1;
};

/// A column of one chunk. Where input and output have the same RowShape they may be the same memory, but
/// otherwise they do not overlap.
struct StepChunk {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::uint32_t words = 0;         ///< at most kMostStepWords
  std::uint32_t status_index = 0;  ///< which word of `status` belongs to it
};

/// A launch. A chunk whose status is not 0 is left alone.
struct StepBatch {
  const StepChunk* chunks = nullptr;
  std::uint32_t count = 0;
  std::uint32_t most_words = 0;  ///< of a chunk; chunks with more are refused
  std::uint8_t width = 1;        ///< bytes of a word, 1 to 8
  RowShape in, out;
  std::uint32_t* status = nullptr;  ///< of all chunks; never null
};

/// Words of a chunk of 16 MiB. A number of words times a tuple of 256 stays within 32 bits.
inline constexpr std::uint32_t kMostStepWords = 1u << 24;

/// What the status of a chunk says. 0: nothing speaks against it.
enum class StepStatus : std::uint32_t {
  too_long = 0x301,
  side_length = 0x302,  ///< side data have the wrong length
  side_value = 0x303,   ///< a pair, a selector, a padding bit, a predictor out of range
  number = 0x304,       ///< a q that gives no number
};

}  // namespace tdz::cuda
