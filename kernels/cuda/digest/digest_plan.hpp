// SPDX-License-Identifier: Apache-2.0
// How the digests of a batch are divided among thread blocks. Plain values, for host and device.
//
// A thread block sums the stripes of one segment of a chunk and leaves a row, the sum of 8 words, for every
// block of XXH3. The thread block that ends last in a chunk walks the chain of scrambles over all its rows.
// So nobody waits, and chains run beside the sums of other chunks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/digest/xxh3.hpp"

namespace tdz::cuda {

/// A chunk in device memory.
struct ChunkPlace {
  std::uint64_t offset = 0;  ///< in the batch's data
  std::uint64_t bytes = 0;
};

/// What the status of a chunk says. 0: nothing speaks against it.
enum class DigestStatus : std::uint32_t { refused = 0x201, differs = 0x202 };

inline constexpr unsigned kDigestWarps = 4;    ///< few: they idle while one of them walks a chain
inline constexpr unsigned kBlocksPerWarp = 8;  ///< blocks of XXH3 that a warp sums at once
inline constexpr unsigned kDigestRounds = 2;   ///< how often it does so in a segment
inline constexpr unsigned kSegmentBlocks = kDigestRounds * kDigestWarps * kBlocksPerWarp;
inline constexpr std::uint64_t kRowBytes = xxh3::kStateWords * sizeof(std::uint64_t);

/// At least one: a chunk without rows has a chain too, of no link.
TDZ_HOST_DEVICE constexpr std::uint32_t segments_of(std::uint64_t bytes) {
  const std::uint64_t rows = bytes == 0 ? 0 : xxh3::scrambles_of(bytes);
  return rows == 0 ? 1 : static_cast<std::uint32_t>((rows + kSegmentBlocks - 1) / kSegmentBlocks);
}

/// The first row of a chunk in the scratch. A chunk of n rows has more than 1024 n bytes, so the rows of
/// chunks that do not overlap do not overlap either.
TDZ_HOST_DEVICE constexpr std::uint64_t first_row(const ChunkPlace& chunk) {
  return chunk.offset / xxh3::kBlock + (chunk.offset % xxh3::kBlock != 0 ? 1 : 0);
}

/// The scratch: rows, then a counter for each chunk.
constexpr std::uint64_t digest_row_bytes(std::uint64_t data_bytes) {
  return (data_bytes / xxh3::kBlock + 1) * kRowBytes;
}
constexpr std::size_t digest_scratch_bytes(std::uint64_t data_bytes, std::uint32_t chunks) {
  return static_cast<std::size_t>(digest_row_bytes(data_bytes)) + std::size_t{chunks} * sizeof(std::uint32_t);
}

}  // namespace tdz::cuda
