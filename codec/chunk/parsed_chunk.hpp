// SPDX-License-Identifier: Apache-2.0
// A CHK, with its plan as a value: what every reader needs before it decodes a chunk. Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"

namespace tdz {

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
