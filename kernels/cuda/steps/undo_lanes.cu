// SPDX-License-Identifier: Apache-2.0
// The step `lanes` undone, one launch for each depth of its sources. A warp takes a few lanes of a run and
// walks it by tiles in shared memory: load / scan / store.
#include "kernels/cuda/frames/warp_team.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/steps/chunk_words.cuh"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/undo_steps.hpp"
#include "kernels/cuda/steps/word_maps.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kWarps = 4;
constexpr unsigned kThreads = 32 * kWarps;
constexpr unsigned kResident = 8;  ///< thread blocks of a multiprocessor

/// Sums are computed in 32 or 64 bits: they keep what sums of narrower words need.
template <unsigned Width>
struct SumWord {
  using type = std::uint32_t;
};
template <unsigned Width>
requires(Width > 4) struct SumWord<Width> {
  using type = std::uint64_t;
};

/// One warp's work: a group of lanes in one run of a chunk.
template <unsigned Width>
class LaneWalk {
 public:
  using Sum = typename SumWord<Width>::type;
  static constexpr std::uint32_t kMostLanes = most_group_lanes(Width);

  struct Shared {
    Sum carry[kMostLanes][kHighestLaneOrder];
    DeviceLaneRule rule[kMostLanes];
  };

  __device__ LaneWalk(const LanesBatch& batch, const StepChunk& chunk, Shared& shared, Sum* tile,
                      std::uint32_t first_lane, std::uint32_t lanes)
      : words_(batch.steps, chunk),
        shape_{chunk.words, batch.tuple},
        shared_(shared),
        tile_(tile),
        first_lane_(first_lane),
        lanes_(lanes) {}

  /// Reads the rules; returns a bit for each lane of this depth.
  __device__ std::uint32_t read_rules(const LanesBatch& batch, std::uint8_t depth) {
    bool mine = false;
    if (thread() < lanes_) {
      const DeviceLaneRule rule = batch.rules != nullptr ? batch.rules[first_lane_ + thread()] : batch.same;
      shared_.rule[thread()] = rule;
      mine = rule.depth == depth;
    }
    for (std::uint32_t i = thread(); i < kMostLanes * kHighestLaneOrder; i += 32) {
      shared_.carry[i / kHighestLaneOrder][i % kHighestLaneOrder] = 0;
    }
    active_ = __ballot_sync(kAll, mine);
    __syncwarp();  // publishes rules and carries within the warp
    return active_;
  }

  __device__ void run(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t row = begin; row < end; row += kLaneTileRows) {
      load(row, end);
      __syncwarp();  // publishes the tile
      for (std::uint32_t g = 0; g < lanes_; ++g) {
        if (is_active(g)) undo(row, g);
      }
      __syncwarp();  // publishes the words
      store(row, end);
      __syncwarp();  // frees the tile
    }
  }

 private:
  using Word = typename MachineWord<Width>::type;

  __device__ static std::uint32_t thread() { return threadIdx.x % 32; }
  __device__ bool is_active(std::uint32_t g) const { return (active_ >> g & 1) != 0; }
  __device__ std::uint32_t index(std::uint32_t row, std::uint32_t lane) const {
    return row * shape_.tuple + lane;
  }

  /// Calls visit(place in the tile, index in the chunk) for the tile's words that there are.
  template <class Visit>
  __device__ void for_words(std::uint32_t row, std::uint32_t end, const Visit& visit) const {
    const std::uint32_t rows = end - row < kLaneTileRows ? end - row : kLaneTileRows;
#pragma unroll 4
    for (std::uint32_t n = thread(); n < rows * lanes_; n += 32) {
      const std::uint32_t r = row_of(n, lanes_), g = n - r * lanes_;
      const std::uint32_t i = index(row + r, first_lane_ + g);
      if (is_active(g) && i < words_.count) visit(tile_place(r, g, lanes_), i);
    }
  }

  /// Whether the tile's words stand side by side in memory: whole rows of aligned words, all of this depth.
  /// Then word n of the tile is word row * tuple + n of the chunk.
  __device__ bool is_linear(const SideWords<Width>& side) const {
    return kIsMachineWord<Width> && lanes_ == shape_.tuple && active_ == (1u << lanes_) - 1 &&
           side.rows.dense() && side.aligned;
  }

  /// Calls visit(place in the tile, n) for the words of a linear tile.
  template <class Visit>
  __device__ void for_linear_words(std::uint32_t row, std::uint32_t end, const Visit& visit) const {
    const std::uint32_t rows = end - row < kLaneTileRows ? end - row : kLaneTileRows;
    const std::uint32_t left = words_.count - row * lanes_;
    const std::uint32_t words = left < rows * lanes_ ? left : rows * lanes_;
#pragma unroll 8
    for (std::uint32_t n = thread(); n < words; n += 32) {
      visit(n + row_of(n, lanes_) / kLaneThreadWords, n);  // tile_place() of a linear tile
    }
  }

  __device__ void load(std::uint32_t row, std::uint32_t end) {
    if (is_linear(words_.in)) {
      const auto* from = reinterpret_cast<const Word*>(words_.in.at) + std::size_t{row} * lanes_;
      return for_linear_words(row, end,
                              [&](std::uint32_t place, std::uint32_t n) { tile_[place] = from[n]; });
    }
    for_words(row, end, [&](std::uint32_t place, std::uint32_t i) {
      tile_[place] = static_cast<Sum>(words_.in.load(i));
    });
  }

  __device__ void store(std::uint32_t row, std::uint32_t end) {
    if (is_linear(words_.out)) {
      auto* to = reinterpret_cast<Word*>(words_.out.at) + std::size_t{row} * lanes_;
      return for_linear_words(
          row, end, [&](std::uint32_t place, std::uint32_t n) { to[n] = static_cast<Word>(tile_[place]); });
    }
    for_words(row, end, [&](std::uint32_t place, std::uint32_t i) { words_.out.store(i, tile_[place]); });
  }

  /// The tile's words of lane `g`. What stands in the tile behind the lane's end does no harm.
  __device__ void undo(std::uint32_t row, std::uint32_t g) {
    const DeviceLaneRule rule = shared_.rule[g];
    const std::uint32_t own = kLaneThreadWords * thread();
    Sum word[kLaneThreadWords];
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneThreadWords; ++v) {
      word[v] = tile_[tile_place(own + v, g, lanes_)];
    }
    if (rule.zigzag) {
#pragma unroll
      for (Sum& w : word) w = static_cast<Sum>(without_zigzag(w));
    }
    if (rule.has_source() && rule.source_before_sums) join(rule, row + own, word);
    for (std::uint32_t k = 0; k < rule.order; ++k) integrate(shared_.carry[g][k], word);
    if (rule.has_source() && !rule.source_before_sums) join(rule, row + own, word);
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneThreadWords; ++v) {
      tile_[tile_place(own + v, g, lanes_)] = word[v];
    }
  }

  /// One order: `carry` is the sum before this tile, then behind it.
  __device__ void integrate(Sum& carry, Sum (&word)[kLaneThreadWords]) const {
    const Sum total = sum_up(word);
    const Sum before = carry + inclusive_sum(total) - total;
#pragma unroll
    for (Sum& w : word) w += before;
    __syncwarp();  // all have read the carry
    if (thread() == 31) carry = word[kLaneThreadWords - 1];
    __syncwarp();  // publishes it
  }

  /// Adds the source's words, which an earlier launch has undone.
  __device__ void join(const DeviceLaneRule& rule, std::uint32_t row, Sum (&word)[kLaneThreadWords]) const {
    if (rule.source >= shape_.lanes()) return;
    const std::uint32_t length = shape_.length(rule.source);
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneThreadWords; ++v) {
      const std::uint32_t at = row + v - rule.lag;  // row 0 with a lag wraps, and is none of the lane
      if (at < length) word[v] += static_cast<Sum>(words_.out.load(index(at, rule.source)));
    }
  }

  const ChunkWords<Width> words_;
  const LaneShape shape_;
  Shared& shared_;
  Sum* const tile_;
  const std::uint32_t first_lane_, lanes_;
  std::uint32_t active_ = 0;
};

/// With more words there are not fewer rows and not fewer lanes, so the longest chunk has the most groups and
/// the widest ones.
TDZ_HOST_DEVICE LaneGroups most_groups(const LanesBatch& batch) {
  return {{batch.steps.most_words, batch.tuple}, batch.run, batch.steps.width};
}

template <unsigned Width>
__global__ void __launch_bounds__(kThreads, kResident)
    undo_lanes(LanesBatch batch, std::uint8_t depth, std::uint32_t units) {
  extern __shared__ std::uint64_t tiles[];
  __shared__ typename LaneWalk<Width>::Shared shared[kWarps];
  const std::uint32_t warp = threadIdx.x / 32, all = batch.steps.count * units;
  const std::uint32_t place = blockIdx.x * kWarps + warp;
  if (place >= all) return;
  const StepChunk chunk = batch.steps.chunks[place / units];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (__any_sync(kAll, status != 0)) return;
  if (chunk.words > batch.steps.most_words) {
    status = static_cast<std::uint32_t>(StepStatus::too_long);
    return;
  }
  const LaneShape shape{chunk.words, batch.tuple};
  const LaneGroups groups(shape, batch.run, Width);
  const std::uint32_t unit = place % units;
  if (unit >= groups.count()) return;
  const std::uint32_t run = unit / groups.groups, first_lane = unit % groups.groups * groups.lanes;
  const std::uint32_t rest = shape.lanes() - first_lane, lanes = rest < groups.lanes ? rest : groups.lanes;
  auto* tile =
      reinterpret_cast<typename LaneWalk<Width>::Sum*>(tiles) + warp * tile_words(most_groups(batch).lanes);
  LaneWalk<Width> walk(batch, chunk, shared[warp], tile, first_lane, lanes);
  if (walk.read_rules(batch, depth) == 0) return;
  const std::uint32_t begin = run * batch.run, longest = shape.length(first_lane);
  const std::uint32_t left = longest < begin ? 0 : longest - begin;
  walk.run(begin, begin + (batch.run == 0 || left < batch.run ? left : batch.run));
}

/// Shared memory for the tiles of all warps.
template <unsigned Width>
unsigned tile_bytes(const LaneGroups& groups) {
  return static_cast<unsigned>(kWarps * tile_words(groups.lanes) * sizeof(typename LaneWalk<Width>::Sum));
}

}  // namespace

cudaError_t launch_undo_lanes(const LanesBatch& batch, cudaStream_t stream) {
  if (batch.steps.count == 0 || batch.steps.most_words == 0) return cudaSuccess;
  if (batch.tuple == 0 || !is_launchable(batch.steps, 1)) return cudaErrorInvalidValue;
  const LaneGroups groups = most_groups(batch);
  const std::uint64_t units = groups.count();
  if (units * batch.steps.count > 0x7FFFFFFFu) return cudaErrorInvalidValue;
  const auto blocks = static_cast<std::uint32_t>((units * batch.steps.count + kWarps - 1) / kWarps);
  return with_width(batch.steps.width, [&]<unsigned Width>() {
    for (std::uint8_t depth = 0; depth < batch.depths; ++depth) {
      const cudaError_t launched =
          launch_kernel(undo_lanes<Width>, dim3(blocks), kThreads, tile_bytes<Width>(groups), stream, batch,
                        depth, static_cast<std::uint32_t>(units));
      if (launched != cudaSuccess) return launched;
    }
    return cudaSuccess;
  });
}

}  // namespace tdz::cuda
