// SPDX-License-Identifier: Apache-2.0
// Groups of packed words in one tile of memory: what packed.cpp hands to the kernels of packed-inl.hpp. Data
// only, for all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cpu {

/// What unpack_group() may read after the bytes of a group.
inline constexpr std::size_t kUnpackSlack = 32;

/// Lanes lie `pitch` bytes apart, each with its groups one after another; groups count across the lanes.
struct TileGroups {
  std::size_t groups, lanes, pitch;
};

}  // namespace tdz::cpu
