// SPDX-License-Identifier: Apache-2.0
// Where a device finds the packed groups of a chunk, and where their words go: FORMAT.md, section 3,
// `packed`. Plain values, made by the host from CHK alone (packed_plan.hpp); for host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda {

/// The scan kernels, which undo the steps before the groups, ask for aligned addresses.
inline constexpr std::uint64_t kScanAlignment = kGranule;

// formats/steps/packed.hpp has them for the host; integrate_groups_launch.cuh compares.
inline constexpr std::uint32_t kWordsOfGroup = 16, kGroupsAPlace = 256, kMostWidths = 16;

/// A chunk whose four substreams lie one after another in frames of raw blocks. The host has held all these
/// numbers against one another, the record and the buffers, so that every byte of the content lies within the
/// packed bytes, and `words` words fit where they go. What the frames hold is not known yet.
struct PackedChunk {
  std::uint64_t packed = 0;  ///< its first frame, in the packed bytes of the batch
  std::uint64_t out = 0;     ///< its first word, in the buffer that the launch names
  uniform::RawLayout frames{0, 1, 0};
  std::uint32_t only_header = 0;  ///< bytes of the frame's header, if there is one frame
  std::uint32_t chunk = 0;        ///< whose status tells of faults
  std::uint32_t words = 0;        ///< at most kMostStepWords
  std::uint32_t tuple = 1;        ///< 1 to 256
  std::uint32_t groups = 0;       ///< as the words give them
  std::uint32_t widths = 0;       ///< bytes of this substream, 1 to kMostWidths
  std::uint32_t bits = 0;         ///< bytes of this substream

  TDZ_HOST_DEVICE constexpr std::uint32_t places() const {
    return (groups + kGroupsAPlace - 1) / kGroupsAPlace;
  }
  // Where substreams begin in the content. The widths come first.
  TDZ_HOST_DEVICE constexpr std::uint32_t codes_at() const { return widths; }
  TDZ_HOST_DEVICE constexpr std::uint32_t places_at() const { return widths + (groups + 1) / 2; }
  TDZ_HOST_DEVICE constexpr std::uint32_t bits_at() const { return places_at() + 4 * places(); }

  // As RawLayout has them, without its divisions where there is one frame.
  TDZ_HOST_DEVICE std::uint64_t at(std::uint32_t byte) const {
    if (only_header == 0) return frames.at(byte);
    const auto blocks = static_cast<std::uint32_t>(byte / uniform::kRawBlock + 1);
    return only_header + uniform::kBlockHeader * blocks + byte;
  }
  TDZ_HOST_DEVICE std::uint32_t side_by_side(std::uint32_t byte) const {
    if (only_header == 0) return frames.side_by_side(byte);
    const auto of_block = static_cast<std::uint32_t>(uniform::kRawBlock - byte % uniform::kRawBlock);
    return frames.bytes - byte < of_block ? frames.bytes - byte : of_block;
  }
};

/// The longest tuple whose groups a device unpacks: a warp takes all lanes of a row.
inline constexpr std::uint32_t kMostGroupTuple = 32;

/// How a thread block divides a tile among its threads. A tile is groups one after another, as the chunk has
/// them. A thread takes a segment: as many rows of one lane as a few groups have. A warp takes as many
/// segments of every lane as fit; where the tuple does not divide 32, its last threads have none.
struct GroupTile {
  /// Few, so that few threads wait while one warp joins the tile. Measured on an H100, November 2026.
  static constexpr unsigned kWarps = 4;

  std::uint32_t word = 1;   ///< bytes: 1, 2, 4 or 8
  std::uint32_t tuple = 1;  ///< lanes, 1 to kMostGroupTuple

  /// A segment has 64 bytes; of words of 8 bytes 128.
  TDZ_HOST_DEVICE static constexpr std::uint32_t groups_of_segment(std::uint32_t word) {
    return word < 4 ? 4 / word : 1;
  }
  TDZ_HOST_DEVICE static constexpr std::uint32_t rows(std::uint32_t word) {
    return kWordsOfGroup * groups_of_segment(word);
  }

  /// Segments of a lane, in a warp and in the tile.
  TDZ_HOST_DEVICE constexpr std::uint32_t across() const { return kWarp / tuple; }
  TDZ_HOST_DEVICE constexpr std::uint32_t segments() const { return kWarps * across(); }
  TDZ_HOST_DEVICE constexpr std::uint32_t groups() const {
    return segments() * groups_of_segment(word) * tuple;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t words() const { return groups() * kWordsOfGroup; }
  /// Of a chunk with so many groups.
  TDZ_HOST_DEVICE constexpr std::uint32_t count(std::uint32_t chunk_groups) const {
    return (chunk_groups + groups() - 1) / groups();
  }
  /// Whether every tile begins with a place. If not, a block also reads the codes before its tile.
  TDZ_HOST_DEVICE constexpr bool is_of_whole_places() const { return groups() % kGroupsAPlace == 0; }
};

/// What is undone with the groups: the steps right before them.
struct GroupSteps {
  std::uint32_t tuple = 1;  ///< of the difference; if there is none, of the groups
  std::uint8_t order = 0;   ///< of the difference; 0: none
  bool same_lanes = true;   ///< the groups have the same tuple. If not, theirs is 1
  bool zigzag = false;

  friend constexpr bool operator==(const GroupSteps&, const GroupSteps&) = default;
};

/// Chunks of one width of words, with the same steps. All pointers are device pointers.
struct GroupBatch {
  const PackedChunk* chunks = nullptr;
  std::uint32_t count = 0;
  std::uint32_t groups = 0;  ///< of the chunk that has the most
  GroupSteps steps;
  const std::byte* packed = nullptr;  ///< with 16 readable bytes around
  std::byte* out = nullptr;  ///< PackedChunk::out counts from here. At any address; aligned to 16 is faster
  std::uint32_t* status = nullptr;  ///< of all chunks
};

/// The device memory that a launch needs: the counter of tiles; with a difference their states, and the
/// weights of the tiles of a chunk.
struct GroupSpaceLayout {
  std::uint32_t tiles_per_chunk = 0;  ///< of the longest chunk
  std::uint64_t tiles = 0;            ///< of the launch, as if all chunks were as long
  std::size_t states_at = 128;        ///< after the counter, which has a cache line of its own
  std::size_t weights_at = states_at;
  std::size_t bytes = states_at;

  constexpr GroupSpaceLayout(unsigned width, const GroupBatch& batch) {
    const auto [tuple, order, same_lanes, zigzag] = batch.steps;
    tiles_per_chunk = GroupTile{width, tuple}.count(batch.groups);
    tiles = std::uint64_t{tiles_per_chunk} * batch.count;
    if (order == 0) return;
    const std::size_t parts = carry_descriptors(width, order) * tuple;
    weights_at = states_at + static_cast<std::size_t>(tiles) * parts * kDescriptorBytes;
    bytes = weights_at + (order > 1 ? tiles_per_chunk * 2 * order * sum_bytes(width) : 0);
  }
};

/// A bit of a chunk's status, beside those of DecodeFault: widths, codes, places or bits break the format.
inline constexpr std::uint32_t kWrongGroups = 32;

}  // namespace tdz::cuda
