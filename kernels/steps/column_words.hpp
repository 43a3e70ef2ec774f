// SPDX-License-Identifier: Apache-2.0
// The words of one column between two steps: as rows have them, or lane after lane for the steps on lanes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/steps/lane_map.hpp"
#include "kernels/buffer.hpp"

namespace tdz {

/// Two buffers in turn: a step reads what the last take() gave and writes to the next one.
class StepMemory {
 public:
  std::span<std::byte> take(std::size_t bytes) {
    next_ ^= 1;
    return newest_ = halves_[next_].take(bytes);
  }
  /// What the last take() gave.
  std::span<std::byte> newest() const { return newest_; }
  /// What a single step needs beside the words.
  std::span<std::byte> scratch(std::size_t bytes) { return scratch_.take(bytes); }
  /// What a group of passes needs beside the words.
  std::span<std::byte> pass_scratch(std::size_t bytes) { return pass_scratch_.take(bytes); }

 private:
  std::array<Buffer, 2> halves_;
  Buffer scratch_;
  Buffer pass_scratch_;
  std::span<std::byte> newest_;
  unsigned next_ = 0;
};

/// Words of `width` bytes. tuple 0: packed, in the order of the rows. Otherwise lane after lane for this
/// tuple, each word in the next machine word (LaneMap).
struct ColumnWords {
  std::span<const std::byte> bytes;
  std::uint8_t width = 1;
  std::size_t words = 0;
  std::uint32_t tuple = 0;

  LaneMap map(std::uint32_t of_tuple) const { return LaneMap::of_width(width, of_tuple, words); }
};

/// The same words for this tuple; new memory only if they move.
ColumnWords to_lanes(const ColumnWords& x, std::uint32_t tuple, StepMemory& memory);
/// The same words packed; new memory only if they move.
ColumnWords to_packed(const ColumnWords& x, StepMemory& memory);
/// Packed into `out`, which holds words * width bytes and does not overlap.
void pack_into(const ColumnWords& x, StepMemory& memory, std::span<std::byte> out);

inline const std::uint8_t* octets(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}
inline std::uint8_t* octets(std::span<std::byte> bytes) {
  return reinterpret_cast<std::uint8_t*>(bytes.data());
}
inline std::span<const std::uint8_t> octet_span(std::span<const std::byte> bytes) {
  return {octets(bytes), bytes.size()};
}

}  // namespace tdz
