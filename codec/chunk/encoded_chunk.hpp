// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "formats/stream/chunk.hpp"
#include "kernels/buffer.hpp"

namespace tdz {

/// A chunk as it is stored: its record, without the place in a stream, and its frames one after another.
struct EncodedChunk {
  formats::ChunkRecord record;
  Buffer memory;
  std::span<const std::byte> packed;  ///< within memory, or where a device left it
};

}  // namespace tdz
