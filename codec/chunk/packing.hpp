// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz {

/// How hard zstd looks at a frame. In this order: what comes first finds more and takes longer.
enum class Packing : std::uint8_t {
  search,   ///< zstd at the level asked for
  quick,    ///< zstd at its level 1
  entropy,  ///< no matches, only Huffman codes
};
inline constexpr std::size_t kPackings = 3;

}  // namespace tdz
