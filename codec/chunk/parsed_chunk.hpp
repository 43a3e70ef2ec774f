// SPDX-License-Identifier: Apache-2.0
// A chunk as writers leave it and as readers find it: a CHK, with its plan as a value, which every reader
// needs before it decodes the chunk. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/plan/substreams.hpp"
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

/// The plan that was judged last, and the substreams that it gives. Most chunks of a file have the plan of
/// the chunk before: a reader of many records keeps one of these, and equal bytes are judged once. For one
/// thread.
class LastPlan {
 public:
  /// The plan that these bytes are. Errors: corrupt, unsupported.
  formats::Fault read(std::span<const std::byte> bytes, std::uint64_t where);
  const Plan& plan() const { return plan_; }
  /// The substreams of a chunk with this plan. They stay until the next call.
  std::span<const formats::Substream> substreams(std::uint64_t original);

 private:
  std::vector<std::byte> bytes_;  ///< none: there is no plan yet. Every plan has some
  Plan plan_;
  std::uint64_t original_ = 0;  ///< of substreams_; 0: none yet
  std::vector<formats::Substream> substreams_;
};
/// The same as above, for one of many records.
Result<ParsedChunk> parse_with_plan(std::span<const std::byte> record, formats::ChunkRules rules,
                                    std::uint64_t where, LastPlan& last);

/// The bytes of all substreams together: what the frames decode to. At most max_substream_bytes().
std::uint64_t substream_bytes(const formats::ChunkRecord& record);

}  // namespace tdz
