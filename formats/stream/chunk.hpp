// SPDX-License-Identifier: Apache-2.0
// CHK, before the frames of a chunk, in a stream or as a lone block: FORMAT.md, sections 1, 2
// and 5. Pure functions, thread-safe.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "formats/stream/record.hpp"

namespace tdz::formats {

struct FrameLengths {
  std::uint32_t packed = 0;    ///< bytes in the file
  std::uint32_t unpacked = 0;  ///< what the frame decodes to
  friend bool operator==(const FrameLengths&, const FrameLengths&) = default;
};

/// One uniform block, or a remainder, as the list in CHK has it. A hint: no value of a field is an error.
struct BlockEntry {
  std::uint16_t length = 0;
  std::uint8_t type = 0;
  std::uint8_t bits = 0;
  std::array<std::uint16_t, 4> raw{};  ///< bytes of raw bits of each run
  friend bool operator==(const BlockEntry&, const BlockEntry&) = default;
};

struct ChunkRecord {
  // These five are zero when a lone block is written, and ignored when one is read.
  std::uint64_t tag = 0;
  std::uint64_t offset = 0;  ///< of this CHK in the stream
  std::uint64_t number = 0;
  std::uint64_t original_offset = 0;
  std::uint64_t chain = 0;

  std::uint64_t digest = 0;  ///< XXH3-64 of the original bytes
  std::uint32_t original_bytes = 0;
  std::vector<std::byte> plan{};
  std::vector<std::uint32_t> substreams{};  ///< their lengths
  std::vector<FrameLengths> frames{};
  std::vector<BlockEntry> blocks{};

  friend bool operator==(const ChunkRecord&, const ChunkRecord&) = default;
};

/// The bytes of all frames together. At most 3.1e9 for a chunk that was parsed.
std::uint64_t packed_bytes(const ChunkRecord& chunk);

/// Where a chunk must stand in its stream.
struct ChunkPlace {
  std::uint64_t offset = 0;
  std::uint64_t number = 0;
  std::uint64_t original_offset = 0;
  std::optional<std::uint64_t> chain{};  ///< none: a reader of a range does not know it
};

/// What a reader knows about a chunk before it reads CHK. The defaults are those of a lone block.
///
/// Contents of plans are no business of this file. The three functions are called in the order in which a
/// reader judges; one that is not set accepts everything. `lengths` is called after `plan`, so it may use
/// what that found.
struct ChunkRules {
  std::uint32_t largest_chunk = kMaxChunk;
  std::uint32_t largest_frame = kMaxChunk;
  std::uint64_t original_bytes = kNone;  ///< from HDR
  std::optional<ChunkPlace> place{};     ///< none: tag, number, offsets and chain are ignored

  /// Is this the stream's tag? It is asked only if there is a place. The tag of chunk 0 depends on its
  /// digest.
  std::function<bool(std::uint64_t tag, std::uint64_t digest)> is_tag{};
  /// The plan: its shape, values, row, rules.
  std::function<Fault(std::span<const std::byte> plan)> plan{};
  /// May the part of the index that is open list a chunk with this plan?
  std::function<bool(const std::vector<std::byte>& plan)> can_list{};
  /// The number of substreams and each length.
  std::function<Fault(std::span<const std::uint32_t> lengths, std::uint32_t original_bytes)> lengths{};
};

std::vector<std::byte> serialize(const ChunkRecord& chunk);
/// The length of that.
std::uint64_t serialized_bytes(const ChunkRecord& chunk);
/// Judges everything up to the lengths of frames, in the order of section 5.
Result<ChunkRecord> parse_chunk(std::span<const std::byte> record, const ChunkRules& rules,
                                std::uint64_t where);

/// Are all frames there, if `available` bytes stand after CHK? Error truncated. A reader asks this after
/// parse_chunk, and before it sizes a buffer by what frames promise.
Fault check_frames_are_there(const ChunkRecord& chunk, std::uint64_t available, std::uint64_t where);

}  // namespace tdz::formats
