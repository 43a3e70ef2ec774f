// SPDX-License-Identifier: Apache-2.0
// Chunks that are stored as they are, in frames of raw blocks: a device copies them. Plain values, made by
// the host from CHK alone (packed_plan.hpp); for host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/digest/digest_plan.hpp"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda {

/// The host has held all these numbers against one another, the record and the buffers, so that every byte of
/// the content lies within the packed bytes, and the original fits where it goes. What the headers of the
/// frames say is not known yet.
struct PlainChunk {
  std::uint64_t packed = 0;  ///< its first frame, in the packed bytes of the batch
  std::uint64_t values = 0;  ///< its original
  uniform::RawLayout frames{0, 1, 0};
  std::uint32_t chunk = 0;  ///< whose status counts

  TDZ_HOST_DEVICE constexpr std::uint32_t bytes() const { return frames.bytes; }
};

/// All pointers are device pointers. A chunk whose status is not 0 is left alone.
struct PlainBatch {
  const PlainChunk* chunks = nullptr;
  std::uint32_t count = 0;
  std::uint32_t longest = 0;              ///< bytes of a chunk
  const std::byte* packed = nullptr;      ///< with 16 readable bytes around
  std::byte* values = nullptr;            ///< at any address; chunks at multiples of 16 are faster
  const std::uint32_t* status = nullptr;  ///< of all chunks
  /// If not null: the rows of blocks of the digests are left here, as digest_plan.hpp says, for chunks whose
  /// places count from `digest_origin` in the values.
  std::uint64_t* digest_rows = nullptr;
  std::uint64_t digest_origin = 0;
};

/// What a warp copies: the blocks of XXH3 that it sums at once.
inline constexpr std::uint32_t kPlainPart = kBlocksPerWarp * static_cast<std::uint32_t>(xxh3::kBlock);
inline constexpr unsigned kPlainWarps = 4;  ///< of a thread block

TDZ_HOST_DEVICE constexpr std::uint32_t plain_parts(std::uint32_t bytes) {
  return (bytes + kPlainPart - 1) / kPlainPart;
}
/// Thread blocks for each chunk.
constexpr std::uint32_t plain_blocks(std::uint32_t longest) {
  return (plain_parts(longest) + kPlainWarps - 1) / kPlainWarps;
}

}  // namespace tdz::cuda
