// SPDX-License-Identifier: Apache-2.0
// Where the blocks of a zstd frame end, so that each has a Huffman code that suits its own bytes. zstd itself
// ends one every 128 KiB; but sound is loud here and quiet there, and coasts have plain and rugged parts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/uniform/block_layout.hpp"

namespace tdz {

/// In bytes: zstd's own limit.
inline constexpr std::size_t kLongestBlock = uniform::kRawBlock;

/// What blocks hold: literals alone, or matches too. These suffer where a block ends, so it must save more.
enum class BlockContent { literals, matches };

/// The lengths of the blocks of `bytes`, in order: 2 KiB or more (with matches 4 KiB), at most 128 KiB; the
/// last one of each 128 KiB may be shorter. The bytes alone decide, by integers, so they are the same on
/// every machine. Short blocks are joined with their neighbours as long as one code for both is smaller than
/// two with a table each: the splitting of blocks of zopfli and zstd, from the small to the large. One block
/// is what is noise, what has at most 16 KiB, and literals that by a quarter of their bytes promise to save
/// less than 0.8 %. Linear in time; 80 KB of memory. Throws std::bad_alloc.
std::vector<std::size_t> block_lengths(std::span<const std::byte> bytes, BlockContent content);

}  // namespace tdz
