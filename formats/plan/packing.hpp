// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz {

/// How zstd packs a frame. The first three are ordered from slow to fast: a slower packing finds more
/// repeats.
enum class Packing : std::uint8_t {
  search,   ///< zstd at the level asked for
  quick,    ///< zstd at its level 1
  entropy,  ///< no search for repeats, only Huffman codes
  moderate,  ///< zstd at its level 3: sometimes smaller than at a higher level
  distant,   ///< as search, with the longest window: repeats may lie 8 MiB apart. For all planes of a chunk or none
  distant_quick,  ///< as quick, with the longest window
};
inline constexpr std::size_t kPackings = 6;
/// A chunk's planes beyond so many are searched.
inline constexpr std::size_t kMaxPackedPlanes = 256;

}  // namespace tdz
