// SPDX-License-Identifier: Apache-2.0
// A lone block before it is decoded: its record, judged, and the bytes after it. Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/chunk/parsed_chunk.hpp"

namespace tdz {

/// CHK, judged, and what stands after it.
struct OpenBlock {
  ParsedChunk chunk;
  std::span<const std::byte> after_record;
  std::uint64_t record_bytes = 0;
};

/// The frames need not be there. `last`, if not null: of the blocks before. Errors: corrupt, truncated,
/// unsupported.
Result<OpenBlock> open_record(std::span<const std::byte> block, const formats::ChunkRules& rules = {},
                              LastPlan* last = nullptr);

/// As open_block says, where `after_record` bytes stand after a record of `record_bytes` bytes.
Status check_after_record(const formats::ChunkRecord& record, std::uint64_t record_bytes,
                          std::uint64_t after_record, std::size_t most);

/// After CHK stand all of its frames and nothing else, and the original has at most `most` bytes (if not:
/// Error limit). `rules` say where a chunk of a stream must stand; those of a lone block are empty.
Result<OpenBlock> open_block(std::span<const std::byte> block, std::size_t most,
                             const formats::ChunkRules& rules = {}, LastPlan* last = nullptr);

}  // namespace tdz
