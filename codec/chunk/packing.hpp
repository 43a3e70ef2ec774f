// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz {

/// How zstd packs a frame. Ordered from slow to fast: a slower packing finds more repeats.
enum class Packing : std::uint8_t {
  search,   ///< zstd at the level asked for
  quick,    ///< zstd at its level 1
  entropy,  ///< no search for repeats, only Huffman codes
  distant,  ///< as search, and repeats as far apart as the window of 8 MiB allows; for all planes of a chunk or none
};
inline constexpr std::size_t kPackings = 4;

}  // namespace tdz
