// SPDX-License-Identifier: Apache-2.0
// Launches behind the decoding of blocks: steps that are left, columns that the host decoded, and bytes
// behind the last row. Chunks of one plan share their launches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/device/chunk_store.hpp"
#include "codec/device/decode_layout.hpp"

namespace tdz {

/// What is left of one chunk.
struct ChunkLeft {
  const SelectedChunk* chunk = nullptr;
  std::uint32_t status = 0;  ///< index
  uniform::ChunkDecode left;
  std::vector<HostColumn> host_columns;
};

/// Appends the launches for the chunks of one slice.
void add_steps(std::span<const ChunkLeft> chunks, cuda::DecodeJob& job);

}  // namespace tdz
