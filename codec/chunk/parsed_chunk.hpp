// SPDX-License-Identifier: Apache-2.0
// A chunk as writers leave it and as readers find it: a CHK, with its plan as a value, which every reader
// needs before it decodes the chunk. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"
#include "kernels/buffer.hpp"

namespace tdz {

/// A chunk as it is stored: its record, without the place in a stream, and its frames one after another.
struct EncodedChunk {
  formats::ChunkRecord record;
  Buffer memory;
  std::span<const std::byte> packed;  ///< within memory, or where a device left it
};

/// Record, plan and all lengths were judged. The frames were not looked at.
struct ParsedChunk {
  formats::ChunkRecord record;
  Plan plan;
};

/// Judges a CHK in the order of FORMAT.md, section 5. `rules` says where the chunk must stand; this function
/// sets its `plan` and `lengths`. `where` is the record's offset in the file. Errors: corrupt, unsupported.
Result<ParsedChunk> parse_with_plan(std::span<const std::byte> record, formats::ChunkRules rules,
                                    std::uint64_t where);

/// The bytes of all substreams together: what the frames decode to. At most max_substream_bytes().
std::uint64_t substream_bytes(const formats::ChunkRecord& record);

}  // namespace tdz
