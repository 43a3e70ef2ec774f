// SPDX-License-Identifier: Apache-2.0
// The frames of a chunk of coding 1, and the list in its CHK: FORMAT.md, section 4.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/chunk/parsed_chunk.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz::uniform {

/// Adds frames and list to `out`, whose record has the original's length. False: coding 1 has no place for
/// these substreams, because frames are too short for 8 blocks or would be too many. Error limit: no memory.
Result<bool> pack(const Plan& plan, const Substreams& coded, std::uint32_t frame_bytes, ZstdEncoder& zstd,
                  EncodedChunk& out);

/// The memory that pack() takes at most for frames and list, where the substreams have so many bytes.
std::uint64_t pack_memory(const Plan& plan, std::uint64_t substreams);

}  // namespace tdz::uniform
