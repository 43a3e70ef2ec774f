// SPDX-License-Identifier: Apache-2.0
#include "codec/chunk/open_block.hpp"

#include <string>

namespace tdz {

Result<OpenBlock> open_record(std::span<const std::byte> block, const formats::ChunkRules& rules,
                              LastPlan* last) {
  const auto prefix = formats::parse_prefix(block, {.chunk = true}, 0);
  if (!prefix) return prefix.error();
  if (block.size() < prefix->total_bytes) return truncated("the block ends within its record", 0);
  const auto length = static_cast<std::size_t>(prefix->total_bytes);
  LastPlan none;
  auto chunk = parse_with_plan(block.first(length), rules, 0, last != nullptr ? *last : none);
  if (!chunk) return chunk.error();
  return OpenBlock{*std::move(chunk), block.subspan(length), length};
}

Result<OpenBlock> open_block(std::span<const std::byte> block, std::size_t most,
                             const formats::ChunkRules& rules, LastPlan* last) {
  auto open = open_record(block, rules, last);
  if (!open) return open;
  const auto good =
      check_after_record(open->chunk.record, open->record_bytes, open->after_record.size(), most);
  if (!good) return good.error();
  return open;
}

Status check_after_record(const formats::ChunkRecord& record, std::uint64_t record_bytes,
                          std::uint64_t after_record, std::size_t most) {
  if (auto fault = formats::check_frames_are_there(record, after_record, record_bytes)) return *fault;
  if (const auto frames = formats::packed_bytes(record); after_record != frames)
    return corrupt("bytes behind the last frame of a block", record_bytes + frames);
  if (record.original_bytes <= most) return ok();
  return Error{ErrorKind::limit, "the original of this block has " + std::to_string(record.original_bytes) +
                                     " bytes, but only " + std::to_string(most) + " are accepted"};
}

}  // namespace tdz
