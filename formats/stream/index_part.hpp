// SPDX-License-Identifier: Apache-2.0
// INDX, a part of the index: FORMAT.md, section 2. Pure functions, thread-safe.
#pragma once

#include <functional>

#include "formats/stream/envelope.hpp"

namespace tdz::formats {

/// One chunk.
struct IndexEntry {
  std::uint64_t record_offset = 0;  ///< of its CHK in the stream
  std::uint64_t original_offset = 0;
  std::uint64_t digest = 0;
  std::uint32_t original_bytes = 0;
  std::uint32_t stored_bytes = 0;  ///< CHK and frames
  std::uint16_t plan = 0;          ///< from 0
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

struct IndexPart {
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;  ///< of this INDX in the stream
  std::uint64_t first_chunk = 0;
  std::uint64_t previous = kNone;  ///< offset of the part before
  bool last = false;
  std::vector<std::vector<std::byte>> plans{};  ///< once each, in order of first use
  std::vector<IndexEntry> entries{};
  friend bool operator==(const IndexPart&, const IndexPart&) = default;
};

/// The number of bytes of the plan at the front of `bytes`, by its shape alone. An error makes the part
/// corrupt.
using PlanLength = std::function<Result<std::size_t>(std::span<const std::byte> bytes)>;

std::vector<std::byte> serialize(const IndexPart& part);

/// For a reader that begins at the index: the fields must agree with one another. The caller compares them
/// with the parts before and with the chunks. No plan is judged: `plan_length` tells where each ends.
Result<IndexPart> parse_index(std::span<const std::byte> record, const PlanLength& plan_length,
                              std::uint64_t where);

/// For a reader of a whole stream: every field is the expected one. The flag is not compared, but returned.
Result<IndexPart> parse_index(std::span<const std::byte> record, const IndexPart& expected,
                              std::uint64_t where);

}  // namespace tdz::formats
