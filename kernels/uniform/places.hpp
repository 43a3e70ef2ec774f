// SPDX-License-Identifier: Apache-2.0
// Where a device finds the uniform blocks of a batch, and where it puts their words. Plain tables: the host
// makes them from CHK alone (decode_plan.hpp), kernels and their simulation read them.
//
// Offsets count bytes from the begin of a buffer of the batch:
//
//     packed   the frames of all chunks, as they stand in the file
//     side     what ordinary zstd frames of these chunks hold, decoded before by zstd
//     joined   raw bits that a border between zstd blocks cuts in two, joined by the device
//     values   the originals of all chunks
//     work     words of columns whose first steps another pass undoes
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::uniform {

/// Words of 1, 2, 4 and 8 bytes in registers. A word of 3, 5, 6 or 7 bytes takes the next one.
inline constexpr std::size_t kWordKinds = 4;

/// Bytes of a lane's words where lanes lie one behind the other: those of the longest one, so that all begin
/// at multiples of 16.
TDZ_HOST_DEVICE constexpr std::uint64_t planar_lane_bytes(std::uint64_t words, std::uint32_t tuple,
                                                          std::uint32_t width) {
  return ((words + tuple - 1) / tuple * width + 15) / 16 * 16;
}

/// A uniform block, or a remainder.
struct BlockPlace {
  std::uint64_t at = 0;       ///< packed: its zstd header. Of a remainder, side: its first token
  std::uint64_t raw_at = 0;   ///< packed or joined: raw bits of its first run; those of the others follow
  std::uint16_t raw[4] = {};  ///< bytes of raw bits of each run
  std::uint16_t length = 0;   ///< as in the list; of a remainder the number of its tokens
  std::uint8_t type = 0;      ///< BlockType
  std::uint8_t bits = 0;      ///< of the longest code, or 0: not told
  std::uint8_t last = 0;      ///< 1: of its frame
  std::uint8_t joined = 0;    ///< 1: the raw bits are joined ones
  std::uint8_t unused[2] = {};
};

/// The lane of a column. Word i of it begins at `at` + i * stride. If that is not so (linear is 0), it is
/// word x = first + i * tuple of the column and begins at `at` + floor(x / count) * row + x mod count *
/// width.
struct LanePlace {
  std::uint64_t at = 0;  ///< values or work
  std::uint32_t stride = 0;
  std::uint32_t row = 0, first = 0, tuple = 1, count = 1;
  std::uint32_t chunk = 0;    ///< whose status tells of faults
  std::uint8_t width = 1;     ///< bytes of a word
  std::uint8_t k = 0, m = 0;  ///< of its token code
  std::uint8_t run_log = 10;  ///< words of a run
  std::uint8_t order = 0;     ///< of the difference that begins anew in every run; 0: none
  std::uint8_t zigzag = 0;    ///< 1: words are zigzag coded
  std::uint8_t linear = 1;
  std::uint8_t to_work = 0;  ///< 1: `at` counts in work
};

/// Up to 8 neighbouring blocks of one lane, which have one tree: what a warp decodes. Or one remainder.
struct BlockGroup {
  static constexpr std::uint32_t kNoTree = ~std::uint32_t{0};

  std::uint32_t first = 0;  ///< block
  std::uint32_t blocks = 0;
  std::uint32_t tree = kNoTree;  ///< the block that describes the tree
  std::uint32_t lane = 0;        ///< index of the LanePlace
  std::uint32_t row = 0;         ///< word of the lane with which the first block begins
};

/// These bytes must stand there: headers of frames, and of blocks of raw bits.
struct ByteCheck {
  static constexpr unsigned kMost = 11;

  std::uint64_t at = 0;  ///< packed
  std::uint32_t chunk = 0;
  std::uint8_t count = 0;
  std::uint8_t bytes[kMost] = {};
};

/// Raw bits of one block that stand together; where a border cuts them, several pieces are joined.
struct RawJoin {
  std::uint64_t to = 0;    ///< joined
  std::uint64_t from = 0;  ///< packed
  std::uint64_t bytes = 0;
};

static_assert(sizeof(BlockPlace) == 32 && sizeof(LanePlace) == 40 && sizeof(BlockGroup) == 20);
static_assert(sizeof(ByteCheck) == 24 && sizeof(RawJoin) == 24);

}  // namespace tdz::uniform
