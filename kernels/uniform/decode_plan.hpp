// SPDX-License-Identifier: Apache-2.0
// From CHK to the tables by which a device decodes a chunk of uniform blocks: FORMAT.md, section 4. Nothing
// of the frames is read here; all lengths and their sums are verified. Host code, pure, thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/places.hpp"

namespace tdz::uniform {

/// Differences up to this order are undone by the kernel that decodes their tokens.
inline constexpr unsigned kHighestFusedOrder = 3;
/// Up to so many lanes, of words of 2^n bytes, the warps of a thread block write lines together.
inline constexpr std::size_t kLargestTeam = 4;

/// The tables of a batch, in the order in which chunks were added, and the bytes that the buffers need.
struct DecodeTables {
  std::vector<BlockPlace> blocks;
  std::vector<LanePlace> lanes;
  std::array<std::vector<BlockGroup>, kWordKinds> groups;  ///< by the logarithm of a word's bytes
  /// The logarithm of the room for a decode table, in entries: at least the bits of the longest code.
  std::array<std::uint8_t, kWordKinds> code_limit{};
  /// How many groups in a row, from the first group on, form a team: the groups of all lanes of a tuple at
  /// the same rows, filled up with groups without blocks. In the values their words alternate. 1: there are
  /// no teams. 0: no groups.
  std::array<std::uint8_t, kWordKinds> team{};
  std::vector<ByteCheck> checks;
  std::vector<RawJoin> joins;
  std::uint64_t side_bytes = 0, joined_bytes = 0, work_bytes = 0;

  void clear() { *this = DecodeTables{}; }
  /// These bytes must stand at `at` of the packed ones. At most ByteCheck::kMost.
  void check(std::uint64_t at, std::uint32_t chunk, std::span<const std::uint8_t> bytes);
  /// At `at` must stand a frame of raw blocks: its header, and those of its blocks with so much content.
  void check_raw_frame(std::uint64_t at, std::uint32_t chunk, const FrameHeader& header,
                       std::uint32_t content);
};

/// Where a chunk's bytes lie in the buffers of the batch.
struct ChunkBase {
  std::uint32_t chunk = 0;   ///< the index of its status
  std::uint64_t packed = 0;  ///< its first frame
  std::uint64_t values = 0;  ///< its original
};

/// A frame that zstd must decode before, into the side bytes.
struct OrdinaryFrame {
  std::uint64_t packed = 0, side = 0;  ///< offsets
  std::uint32_t packed_bytes = 0, unpacked_bytes = 0;
};

/// Where a substream stands: in the side bytes, or in uniform frames.
struct SubstreamPlace {
  bool uniform = false;
  std::uint64_t side = 0;
};

/// What becomes of a column.
struct ColumnDecode {
  bool uniform = false;  ///< false: its substreams are in the side bytes, and all of its steps are left
  std::uint8_t steps_left = 0;  ///< its first steps, which were not undone
  /// If steps are left: where its words stand, side by side, `width` bytes each.
  std::uint64_t work = 0;
  /// The last of the steps that are left is lanes, and of this only the sources have to be added: the words
  /// of each lane are integrated.
  bool adds_sources = false;
  /// The words stand in `work`, also if no steps are left, and lane by lane: planar_lane_bytes().
  bool planar = false;
};

/// What is left to do for one chunk.
struct ChunkDecode {
  std::vector<OrdinaryFrame> frames;
  std::vector<SubstreamPlace> substreams;
  std::vector<ColumnDecode> columns;
  std::uint64_t rest_bytes = 0;  ///< behind the last row: the end of the side bytes of the last substream
};

/// Adds a chunk to the tables, and says what is left to do. False: a device does not decode this chunk, and
/// the tables are as before. Precondition: the record was judged, with this plan.
bool add_chunk(const Plan& plan, const formats::ChunkRecord& record, const ChunkBase& base,
               DecodeTables& tables, ChunkDecode& left);

}  // namespace tdz::uniform
