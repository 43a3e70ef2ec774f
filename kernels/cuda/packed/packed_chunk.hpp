// SPDX-License-Identifier: Apache-2.0
// Where a device finds the packed groups of a chunk, and where their words go: FORMAT.md, section 3,
// `packed`. Plain values, made by the host from CHK alone (packed_plan.hpp); for host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/digest/digest_plan.hpp"
#include "kernels/cuda/frames/check_headers.hpp"
#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/cuda/tile/tile_shape.hpp"
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

/// How a warp divides a piece among its threads. A thread takes a segment: as many rows of one lane as a few
/// groups have. A warp takes as many segments of every lane as fit; where the tuple does not divide 32, its
/// last threads have none.
struct GroupPiece {
  std::uint32_t word = 1;   ///< bytes: 1, 2, 4 or 8
  std::uint32_t tuple = 1;  ///< lanes, 1 to kMostGroupTuple

  /// A segment has 64 bytes; of words of 8 bytes 128.
  TDZ_HOST_DEVICE static constexpr std::uint32_t groups_of_segment(std::uint32_t word) {
    return word < 4 ? 4 / word : 1;
  }
  TDZ_HOST_DEVICE static constexpr std::uint32_t rows(std::uint32_t word) {
    return kWordsOfGroup * groups_of_segment(word);
  }

  /// Segments of a lane.
  TDZ_HOST_DEVICE constexpr std::uint32_t segments() const { return kWarp / tuple; }
  TDZ_HOST_DEVICE constexpr std::uint32_t groups() const {
    return segments() * groups_of_segment(word) * tuple;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t bytes() const { return groups() * kWordsOfGroup * word; }

  /// A warp's memory: two parts that take turns. A part has a piece's bits, which begin up to 15 bytes after
  /// its start, and of which up to 12 bytes more are read; then its values, with a line after each segment of
  /// all lanes, so that threads do not meet in a bank.
  TDZ_HOST_DEVICE constexpr std::uint32_t part_bytes() const { return bytes() + (segments() + 2) * kGranule; }
  TDZ_HOST_DEVICE constexpr std::uint32_t memory_bytes() const { return 2 * part_bytes(); }
};

/// What is undone with the groups: the steps right before them.
struct GroupSteps {
  std::uint32_t tuple = 1;  ///< of the difference; if there is none, of the groups
  std::uint32_t run = 0;    ///< of the difference, a multiple of kShortestRun; 0: none
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
  /// If not null: the rows of blocks of the digests are left here, as digest_plan.hpp says, for chunks whose
  /// places count from `digest_origin` in `out`.
  std::uint64_t* digest_rows = nullptr;
  std::uint64_t digest_origin = 0;
  /// Headers that are judged beside the groups.
  const uniform::ByteCheck* checks = nullptr;
  std::uint32_t check_count = 0;
};

/// Rows of a lane for each warp, if nothing else divides the chunk: so many that its groups are whole places.
inline constexpr std::uint32_t kRowsOfStretch = kGroupsAPlace * kWordsOfGroup;
/// Rows of the format's shortest run. Such a run may begin inside a place.
inline constexpr std::uint32_t kShortestRun = 1024;
static_assert(kRowsOfStretch % xxh3::kBlock == 0 && kShortestRun % xxh3::kBlock == 0,
              "a warp sums whole blocks of XXH3");
/// So many chunks keep a GPU busy with a warp for each: 132 multiprocessors hold 4224 such warps.
inline constexpr std::uint32_t kManyChunks = 4096;

/// How a launch cuts its chunks into stretches, and the device memory that it needs: the carries that enter
/// the stretches.
struct GroupSpaceLayout {
  std::uint32_t groups = 0;     ///< of a stretch
  std::uint32_t stretches = 0;  ///< of the chunk that has the most
  bool has_carries = false;     ///< what enters a stretch is not known before the ones before it are summed
  std::size_t bytes = 0;

  constexpr GroupSpaceLayout(unsigned width, const GroupBatch& batch) {
    const GroupSteps& steps = batch.steps;
    const bool whole = steps.order > 0 && steps.run == 0 && batch.count >= kManyChunks;
    const std::uint64_t rows = steps.order > 0 && steps.run != 0 ? steps.run : kRowsOfStretch;
    const std::uint64_t wanted =
        whole ? ~0u / kGroupsAPlace * kGroupsAPlace : rows / kWordsOfGroup * steps.tuple;
    groups = static_cast<std::uint32_t>(wanted);
    stretches = (batch.groups - 1) / groups + 1;
    has_carries = steps.order > 0 && steps.run == 0 && stretches > 1;
    if (has_carries)
      bytes = std::size_t{stretches} * batch.count * steps.tuple * steps.order * sum_bytes(width);
  }
};

}  // namespace tdz::cuda
