// SPDX-License-Identifier: Apache-2.0
// What is undone in one lane, as a device reads it, how lanes are divided among warps, and the launches for
// lanes and rows that need no side data. Plain values, for host and device.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/plan/plan.hpp"
#include "kernels/cuda/digest/digest_plan.hpp"
#include "kernels/cuda/steps/word_access.hpp"

namespace tdz::cuda {

struct DeviceLaneRule {
  static constexpr std::uint16_t kNoSource = LaneRule::kNoSource;

  std::uint8_t order = 0;  ///< 0 to 8
  bool zigzag = false;
  bool source_before_sums = false;  ///< the source is added before the sums, not after them
  std::uint8_t lag = 0;             ///< 0 or 1
  std::uint16_t source = kNoSource;
  std::uint8_t depth = 0;  ///< sources in a row; a lane comes after all lanes of less depth
  std::uint8_t unused = 0;

  TDZ_HOST_DEVICE constexpr bool has_source() const { return source != kNoSource; }
};

/// The most lanes of which a launch adds all sources at once.
inline constexpr std::uint32_t kMostJoinedLanes = 8;

/// What is left of the step `lanes` where every lane has been integrated by itself, and its source is added
/// after that, at no lag: a word is the sum of the words of its row in its own lane, in the lane's source, in
/// the source of that one, and so on.
struct LaneSources {
  std::uint32_t lanes = 1;                    ///< 1: nothing is added
  std::uint8_t added[kMostJoinedLanes] = {};  ///< of each lane: a bit for each other lane that is added

  TDZ_HOST_DEVICE constexpr bool adds(std::uint32_t lane, std::uint32_t other) const {
    return (added[lane] >> other & 1) != 0;
  }
};

/// The rules of a plan as the device reads them. Precondition: the plan's rules have no flaw.
std::vector<DeviceLaneRule> device_rules(const LanesStep& rules);
/// Whether a lane of the last row, which may be short, may have the source of its source but not the source
/// between: then nothing is added. Precondition: the plan's rules have no flaw.
bool chains_skip_lanes(const LanesStep& rules);
/// What is left of rules whose lanes are integrated. Preconditions: at most kMostJoinedLanes lanes; sources
/// have no lag, and are added behind the sums; no chain skips lanes.
LaneSources sources_of(const LanesStep& rules);
/// The number of launches that these rules need: one more than the largest depth.
std::uint8_t depths_of(const std::vector<DeviceLaneRule>& rules);

/// Differences that a thread for each column undoes: of rows that give a chunk some warps of threads.
inline constexpr std::uint32_t kHighestRowOrder = 2, kShortestRow = 128;
inline bool is_of_rows(const DifferenceStep& step) {
  return step.run == 0 && step.order <= kHighestRowOrder && step.tuple >= kShortestRow &&
         step.tuple <= kMostStepWords;
}

/// If sources are added, input and output are different memory, and the tuple is a multiple of their lanes.
struct RowsBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;  ///< words of a row
  std::uint8_t order = 0;   ///< of the difference, up to kHighestRowOrder; 0: none
  LaneSources sources;
  /// If not null, and the rows are undone in order: the rows of blocks of the digests are left here, as
  /// digest_plan.hpp says, for chunks whose places count from `digest_data`, where the output lies.
  std::uint64_t* digest_rows = nullptr;
  const std::byte* digest_data = nullptr;
};

/// How a thread block undoes rows of this length from the first byte of a chunk to its last
/// (undo_rows_in_order.cuh): a step has a block of XXH3 for each warp, and no word in it is above another
/// one.
struct RowOrder {
  static constexpr std::uint32_t kMostWarps = 4;
  std::uint32_t row;  ///< bytes, at least xxh3::kBlock

  TDZ_HOST_DEVICE constexpr std::uint32_t warps() const {
    const auto blocks = static_cast<std::uint32_t>(row / xxh3::kBlock);
    return blocks < kMostWarps ? blocks : kMostWarps;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t step() const {
    return warps() * static_cast<std::uint32_t>(xxh3::kBlock);
  }
  /// From a row before a step to the step's end.
  TDZ_HOST_DEVICE constexpr std::uint32_t ring() const { return (row + 15) / 16 * 16 + step(); }
};

/// Shared memory that every GPU gives a block, and a ring may take.
inline constexpr std::uint32_t kMostRing = 48u << 10;
/// Fewer chunks are spread over more thread blocks instead.
inline constexpr std::uint32_t kFewChunksOfRows = 192;

/// Whether rows are undone in order. The widths of a batch and its chunks are what a launch may be given.
inline bool undoes_in_order(const RowsBatch& batch) {
  const StepBatch& steps = batch.steps;
  const bool dense = steps.in.bytes == 0 && steps.out.bytes == 0;
  const bool machine = steps.width == 1 || steps.width == 2 || steps.width == 4 || steps.width == 8;
  const std::uint64_t row = std::uint64_t{batch.tuple} * steps.width;
  if (!dense || !machine || batch.order != 1 || batch.sources.lanes > 1) return false;
  if (row < xxh3::kBlock || row >= kMostRing) return false;
  return steps.count >= kFewChunksOfRows && RowOrder{static_cast<std::uint32_t>(row)}.ring() <= kMostRing;
}

/// Chunks whose input is planar, and aligned to 16 bytes. Words of 1, 2 or 4 bytes.
struct GatherBatch {
  StepBatch steps;  ///< its `in` is not used
  std::uint32_t tuple = 1;
};

/// Words of a tuple, lane by lane.
struct LaneShape {
  std::uint32_t words = 0;
  std::uint32_t tuple = 1;

  TDZ_HOST_DEVICE constexpr std::uint32_t lanes() const { return tuple < words ? tuple : words; }
  TDZ_HOST_DEVICE constexpr std::uint32_t length(std::uint32_t lane) const {
    return words / tuple + (lane < words % tuple ? 1 : 0);
  }
  /// Words of the longest lane, which is the first.
  TDZ_HOST_DEVICE constexpr std::uint32_t longest() const { return length(0); }
};

/// A warp takes some neighbouring lanes of one run, and walks it by tiles of 256 words of each lane.
inline constexpr std::uint32_t kLaneThreadWords = 8;  ///< words of one lane, one behind the other
inline constexpr std::uint32_t kLaneTileRows = 32 * kLaneThreadWords;

/// As many lanes as fill a sector of memory, or 8.
TDZ_HOST_DEVICE constexpr std::uint32_t most_group_lanes(unsigned width) {
  return width > 4 ? 4 : 8;
}

struct LaneGroups {
  std::uint32_t lanes = 1;   ///< of a group, except the last one
  std::uint32_t groups = 1;  ///< of a run
  std::uint32_t runs = 1;    ///< of the longest lane

  TDZ_HOST_DEVICE constexpr LaneGroups(const LaneShape& shape, std::uint32_t run, unsigned width) {
    const std::uint32_t all = shape.lanes(), longest = shape.longest();
    lanes = all < most_group_lanes(width) ? (all == 0 ? 1 : all) : most_group_lanes(width);
    groups = (all + lanes - 1) / lanes;
    runs = longest == 0 ? 0 : run == 0 ? 1 : (longest - 1) / run + 1;
  }
  TDZ_HOST_DEVICE constexpr std::uint64_t count() const { return std::uint64_t{groups} * runs; }
};

/// Where word `row` of lane `g` of a group lies in a tile in shared memory. A gap behind each thread's words
/// makes the distance between threads odd, so that their accesses do not meet in a bank.
TDZ_HOST_DEVICE constexpr std::uint32_t tile_place(std::uint32_t row, std::uint32_t g, std::uint32_t lanes) {
  return row * lanes + g + row / kLaneThreadWords;
}
TDZ_HOST_DEVICE constexpr std::uint32_t tile_words(std::uint32_t lanes) {
  return kLaneTileRows * lanes + kLaneTileRows / kLaneThreadWords;
}

/// n / lanes for a word n of a tile: n < 2048 and lanes <= 8, so that the excess of the rounded factor never
/// counts.
TDZ_HOST_DEVICE constexpr std::uint32_t row_of(std::uint32_t n, std::uint32_t lanes) {
  return n * ((65536 + lanes - 1) / lanes) >> 16;
}

/// Sums over a thread's own words; returns the last, their total.
template <class Word>
TDZ_HOST_DEVICE constexpr Word sum_up(Word (&words)[kLaneThreadWords]) {
  for (std::uint32_t v = 1; v < kLaneThreadWords; ++v) words[v] += words[v - 1];
  return words[kLaneThreadWords - 1];
}

}  // namespace tdz::cuda
