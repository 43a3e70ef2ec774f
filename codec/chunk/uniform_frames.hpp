// SPDX-License-Identifier: Apache-2.0
// The frames of a chunk of coding 1, and the list in its CHK: FORMAT.md, section 4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk/encoded_chunk.hpp"
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

/// What a device may do: reads uniform blocks by the list alone, run by run, and verifies all that FORMAT.md
/// names. Gives the substreams, or nothing if anything differs: then it says nothing of the chunk. A plain
/// model to judge devices by. Side data are not judged. Precondition: `packed` has the bytes that the record
/// promises.
std::optional<std::vector<std::byte>> read_by_list(const ParsedChunk& chunk,
                                                   std::span<const std::byte> packed);

}  // namespace tdz::uniform
