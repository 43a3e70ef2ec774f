// SPDX-License-Identifier: Apache-2.0
// Integrating by look-back: all blocks share the tiles of few or long chunks, and join them through tile
// states.
//
// The warps of a block have three roles:
//
//   compute warps    scan tiles and write values;
//   look-back warps  find the carries that enter the tiles;
//   producer warp    claims tiles, computes their weights, loads them, and stores the finished ones.
//
// The compute warps scan a tile and publish its aggregate one iteration before they write its values. The
// look-back warps find its carries in between. So the compute warps seldom wait, and a look-back asks for
// aggregates that other blocks published about one iteration ago. The producer warp depends on neither of
// them for long: some copy is always under way. It stores a tile in parts, and loads the next one into each
// part as soon as that part is free. Before compute capability 9.0 there are no bulk copies: the compute
// warps copy their own tiles.
#pragma once

#include "kernels/cuda/integrate/byte_tile.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/integrate/look_back.cuh"
#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"

namespace tdz::cuda {

/// What the blocks of a launch share.
struct LookBackSpace {
  std::uint32_t* next_tile = nullptr;  ///< the counter that hands out tiles
  TileStates states;
  std::uint32_t tiles_per_chunk = 0;  ///< of the longest chunk
};

/// One block. An iteration is one tile of this block: iterations count from zero. A tile's number counts
/// through the whole launch, as if all chunks were as long as the longest.
template <class Tiles>
class LookBackBlock {
 public:
  using Word = typename Tiles::Word;
  using Total = typename Tiles::Total;
  using Carry = typename Tiles::Carry;
  using Held = typename Tiles::Held;
  static constexpr unsigned Order = Tiles::kOrder;
  using Protocol = LookBack<Word, Order>;
  using Weights = typename Protocol::Weights;
  using Walk = WeightWalk<Total, Order>;

  struct Shared {
    TilePowers<Total, Order> powers;
    Weights weights[kClaims];
    std::uint32_t claim[kClaims];
    // Barriers, one for each stage.
    std::uint64_t weights_ready[kMaxStages];  ///< completes when the producer warp has computed the weights
    std::uint64_t values_ready[kMaxStages];   ///< completes when the compute warps have written the values
  };

  __device__ LookBackBlock(const TilePlan& plan, const ChunkBatch& batch, const LookBackSpace& space,
                           std::byte* shared, Shared& own)
      : plan_(plan),
        batch_(batch),
        space_(space),
        own_(own),
        tiles_(plan, shared),
        protocol_(space.states),
        carries_(reinterpret_cast<Total*>(shared + plan.carries_at())) {
#if TDZ_BULK_COPY
    for (unsigned s = 0; threadIdx.x == 0 && s < plan.stages; ++s) {
      arrival_init(own.weights_ready + s, kWarp);
      arrival_init(own.values_ready + s, plan.shape.threads());
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    __syncthreads();  // publishes barriers and constants
  }

  __device__ void run() const {
    if (threadIdx.x < plan_.shape.threads()) {
      run_compute_warp();
    } else if (threadIdx.x < blockDim.x - kWarp) {
      run_look_back_warp();
    } else {
      run_producer_warp();
    }
  }

 private:
  /// Compute warps and look-back warps meet here from different places of the code; __syncthreads() does not
  /// allow that.
  __device__ static void sync_with_look_back() {
    asm volatile("barrier.sync 2, %0;" ::"r"(blockDim.x - kWarp) : "memory");
  }

  /// Load and scan a tile, then carry and store for the tile before it. The code has the scan only once,
  /// because it is most of the kernel.
  __device__ void run_compute_warp() const {
    load_first();
    Held held;
    for (unsigned iteration = 0;; ++iteration) {
      const Held held_of_next = scan_and_publish(iteration);
      // Publishes the claim and its weights to the look-back warps, and the last tile's carries to the
      // compute warps. Frees totals and carries of two tiles ago.
      sync_with_look_back();
      if (iteration != 0) {
        write_values(iteration - 1, held);
        release_values(iteration - 1);
      }
      if (!claimed(iteration)) return;
      held = held_of_next;
    }
  }

  /// Carries for every iteration.
  __device__ void run_look_back_warp() const {
    sync_with_look_back();  // publishes the first claim and its weights
    for (unsigned iteration = 0; claimed(iteration); ++iteration) {
      look_back(iteration);
      sync_with_look_back();  // publishes carries, and the next claim
    }
  }

#if TDZ_BULK_COPY
  __device__ void load_first() const {}  // by the producer warp

  /// Claims the first tiles one at a time, and waits for the first load before it claims the second: so the
  /// blocks take turns. If a block claimed several neighbouring tiles at once, the other blocks would wait
  /// for tiles that it scans iterations later.
  __device__ void run_producer_warp() const {
    for (unsigned next = 0;; ++next) {
      if (next >= plan_.stages && !store(next - plan_.stages)) break;
      load(next);
      if (next == 0) make_powers();
      make_weights(next);  // while the load is under way
      arrive(own_.weights_ready + next % plan_.stages);
      if (next == 0) tiles_.wait_load(0);
    }
    finish_stores();
  }
  /// Stores the values of an iteration; false if the iteration has no tile.
  __device__ bool store(unsigned iteration) const {
    if (!claimed(iteration)) return false;
    arrival_wait(own_.values_ready + iteration % plan_.stages, iteration / plan_.stages % 2);
    with_tile(iteration, [&](const OpenChunk& chunk, std::uint64_t row) {
      tiles_.produce_store(iteration, chunk, row);
    });
    return true;
  }
  /// The load's arrival publishes the claim too.
  __device__ void load(unsigned iteration) const {
    claim(iteration);
    with_tile(iteration,
              [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.produce_load(iteration, chunk, row); });
    if (!place(iteration).exists) tiles_.skip_load(iteration);
  }
  __device__ void wait_for_weights(unsigned iteration) const {
    arrival_wait(own_.weights_ready + iteration % plan_.stages, iteration / plan_.stages % 2);
  }
  /// Tells the producer warp that it may store the values.
  __device__ void release_values(unsigned iteration) const {
    arrive(own_.values_ready + iteration % plan_.stages);
  }
#else
  __device__ void run_producer_warp() const {}  // the compute warps do its work

  __device__ void wait_for_weights(unsigned) const {}  // they came with the claim

  /// Before 9.0 a block claims its first tiles together: slower, not wrong.
  __device__ void load_first() const {
    if (threadIdx.x < kWarp) make_powers();
    for (unsigned iteration = 0; iteration < plan_.stages; ++iteration) {
      claim_and_weigh(iteration);
      sync_compute_warps(plan_.shape.threads());  // publishes claim and weights
      start_load(iteration);
    }
  }
  /// By the first compute warp.
  __device__ void claim_and_weigh(unsigned iteration) const {
    if (threadIdx.x >= kWarp) return;
    claim(iteration);
    make_weights(iteration);
  }
  __device__ void start_load(unsigned iteration) const {
    with_tile(iteration,
              [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_load(iteration, chunk, row); });
    tiles_.close_load();
  }
  /// Stores the values and loads the next tile into their stage.
  __device__ void release_values(unsigned iteration) const {
    const unsigned next = iteration + plan_.stages;
    claim_and_weigh(next);
    sync_compute_warps(plan_.shape.threads());  // publishes values, claim and weights
    with_tile(iteration,
              [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_store(iteration, chunk, row); });
    sync_compute_warps(plan_.shape.threads());  // frees the stage
    start_load(next);
  }
#endif

  // One warp claims tiles and computes their weights, always the same one.
  __device__ void claim(unsigned iteration) const {
    if (threadIdx.x % kWarp == 0) own_.claim[iteration % kClaims] = atomicAdd(space_.next_tile, 1);
    __syncwarp();  // publishes the claim within the warp
  }
  __device__ void make_powers() const {
    Walk::make_powers(own_.powers, plan_.shape.tile_rows(), space_.tiles_per_chunk);
  }
  /// Weights depend only on the tile's number within its chunk. So the walk goes on into the next chunk.
  __device__ void make_weights(unsigned iteration) const {
    auto& weights = own_.weights[iteration % kClaims];
    const std::uint32_t tile = place(iteration).tile, before = iteration == 0 ? 0 : place(iteration - 1).tile;
    const bool from_start = iteration == 0 || tile < before;
    if (from_start) Walk::start(weights);
    __syncwarp();  // publishes them within the warp
    Walk::advance(weights, weights_of(from_start ? iteration : iteration - 1), own_.powers,
                  from_start ? tile : tile - before);
    __syncwarp();  // publishes them within the warp
  }
  __device__ const Weights& weights_of(unsigned iteration) const {
    return own_.weights[iteration % kClaims];
  }

  struct TilePlace {
    std::uint32_t chunk, tile;  ///< the tile's number within the chunk
    bool exists;                ///< false after the batch, and after the end of a shorter chunk
  };
  __device__ std::uint32_t tile_number(unsigned iteration) const {
    return own_.claim[iteration % kClaims];
  }
  __device__ bool claimed(unsigned iteration) const {
    return tile_number(iteration) < space_.states.tiles;
  }
  __device__ TilePlace place(unsigned iteration) const {
    const std::uint32_t chunk = tile_number(iteration) / space_.tiles_per_chunk,
                        tile = tile_number(iteration) % space_.tiles_per_chunk;
    return {chunk, tile,
            claimed(iteration) && tile < tiles_of(batch_[chunk].bytes / sizeof(Word), plan_.shape)};
  }
  /// Calls use(chunk, row) if the iteration has a tile.
  template <class Use>
  __device__ void with_tile(unsigned iteration, const Use& use) const {
    const TilePlace at = place(iteration);
    if (at.exists)
      use(OpenChunk(plan_.steps, batch_[at.chunk]), std::uint64_t{at.tile} * plan_.shape.tile_rows());
  }

  /// Publishes the aggregate at once: other blocks wait for it, and this block's own look-back must not delay
  /// it.
  __device__ Held scan_and_publish(unsigned iteration) const {
    const Held held = scan(iteration);
    sync_compute_warps(plan_.shape.threads());  // publishes the warps' totals
    publish(iteration);
    return held;
  }
  __device__ Held scan(unsigned iteration) const {
    Held held;
    tiles_.wait_load(iteration);  // an iteration without a tile has a phase too
    with_tile(iteration, [&](const OpenChunk& chunk, std::uint64_t row) {
      tiles_.finish_load(iteration, chunk, row);
      held = tiles_.scan(iteration, chunk, row);
    });
    if (claimed(iteration) && place(iteration).tile == 0) copy_trailing<Word>(batch_[place(iteration).chunk]);
    return held;
  }

  /// A warp takes a lane; thread k of the warp takes order k.
  __device__ void publish(unsigned iteration) const {
    const unsigned k = threadIdx.x % kWarp;
    wait_for_weights(iteration);
    if (!place(iteration).exists) return;
    for (unsigned lane = threadIdx.x / kWarp; lane < plan_.shape.tuple; lane += plan_.shape.warps()) {
      const Total aggregate = k < Order ? tiles_.tile_total(iteration, k, lane) : Total{0};
      protocol_.publish(tile_number(iteration), lane, aggregate, weights_of(iteration));
    }
  }

  /// Finds the carries that enter the tile. A warp takes a lane; thread k of the warp takes order k.
  __device__ void look_back(unsigned iteration) const {
    const TilePlace at = place(iteration);
    if (!at.exists) return;
    const unsigned k = threadIdx.x % kWarp;
    const unsigned first = plan_.shape.warps(), warps = blockDim.x / kWarp - 1 - first;
    const bool same_chunk =
        iteration != 0 && place(iteration - 1).exists && place(iteration - 1).chunk == at.chunk;
    const std::uint32_t since = same_chunk ? tile_number(iteration - 1) : tile_number(iteration) - at.tile;
    for (unsigned lane = threadIdx.x / kWarp - first; lane < plan_.shape.tuple; lane += warps) {
      Total placed = protocol_.collect(since, tile_number(iteration), lane);
      if (same_chunk && k < Order) placed += placed_of(k, lane);
      const Total carry = Protocol::moved_forward(placed, weights_of(iteration));
      if (k >= Order) continue;
      placed_of(k, lane) = placed;
      carry_of(iteration, k, lane) = carry;
    }
  }
  __device__ Total& carry_of(unsigned iteration, unsigned k, unsigned lane) const {
    return carries_[(iteration % 2 * Order + k) * plan_.shape.tuple + lane];
  }
  /// The sum of all aggregates before this block's last tile, placed at the chunk's first row. The same
  /// thread always serves the same lane and order, so nothing has to be published.
  __device__ Total& placed_of(unsigned k, unsigned lane) const {
    return carries_[(2 * Order + k) * plan_.shape.tuple + lane];
  }

  __device__ void write_values(unsigned iteration, const Held& held) const {
    if (!place(iteration).exists) return;
    const auto entering = [&](unsigned k, unsigned lane) { return carry_of(iteration, k, lane); };
    const auto unused = [](unsigned, const Carry&) {};  // the tile states hold what this tile adds
    tiles_.write_values(iteration, held, entering, unused);
  }

  const TilePlan& plan_;
  const ChunkBatch& batch_;
  const LookBackSpace& space_;
  Shared& own_;
  Tiles tiles_;
  Protocol protocol_;
  Total* carries_;
};

/// Shared memory holds one block on a multiprocessor. Without being told so, the compiler saves registers for
/// two blocks, and reads what it spills from the L2 cache.
template <class Tiles, unsigned Oldest>
__global__ void __launch_bounds__(look_back_block_warps(sizeof(typename Tiles::Word), Tiles::kOrder) * kWarp,
                                  1)
    integrate_look_back(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch,
                        const __grid_constant__ LookBackSpace space) {
  if constexpr (can_run<Oldest>()) {
    using Block = LookBackBlock<Tiles>;
    extern __shared__ __align__(128) std::byte shared[];
    __shared__ typename Block::Shared own;
    Block(plan, batch, space, shared, own).run();
  } else {
    __trap();
  }
}

// ---- The launcher; one source file for each word instantiates it

template <class Tiles, unsigned Oldest>
cudaError_t launch_look_back_tiles(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                   const DeviceShape& device, void* space, cudaStream_t stream) {
  const auto kernel = integrate_look_back<Tiles, Oldest>;
  const TilePlan plan = fitted_plan(pass, tuning, Direction::integrate_by_look_back, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  const SpaceLayout layout = look_back_space(plan, batch);
  const cudaError_t cleared = cudaMemsetAsync(space, 0, layout.bytes, stream);
  if (cleared != cudaSuccess) return cleared;
  constexpr unsigned kProducerWarps = 1;
  const unsigned other_warps = look_back_warps(pass, plan.shape.warps()) + kProducerWarps;
  const unsigned threads = plan.shape.threads() + other_warps * kWarp;
  unsigned resident = 0;
  const cudaError_t counted = count_resident(kernel, threads, plan.shared_bytes(), resident);
  if (counted != cudaSuccess) return counted;
  auto* bytes = static_cast<std::byte*>(space);
  const LookBackSpace shared = {reinterpret_cast<std::uint32_t*>(bytes),
                                {reinterpret_cast<uint4*>(bytes + layout.states_at), layout.tiles},
                                layout.tiles_per_chunk};
  return launch_shared(kernel, smaller(layout.tiles, resident), threads, plan.shared_bytes(), stream, plan,
                       batch, shared);
}

template <class Word>
cudaError_t launch_integrate_look_back(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                       const DeviceShape& device, void* space, cudaStream_t stream) {
  return with_order(pass.order, [&]<unsigned Order>() {
    const auto launch = [&]<class Tiles, unsigned Oldest = 0>(std::uint32_t rows) {
      return launch_look_back_tiles<Tiles, Oldest>(pass, batch, {rows, tuning.warps, tuning.stages}, device,
                                                   space, stream);
    };
    if constexpr (sizeof(Word) == 1) {
      if (uses_matrix(pass)) return launch.template operator()<ByteTiles<Order, 3>>(0);
    }
    if constexpr (sizeof(Word) != 1) {
      constexpr unsigned kUneven = look_back_rows(sizeof(Word), Order, true);
      constexpr unsigned kOldest = oldest_for_large_tiles(sizeof(Word));
      constexpr TileKind kKind = large_tiles_take_layouts(sizeof(Word)) ? TileKind::several_lanes
                                                                        : TileKind::several_interleaved_lanes;
      if constexpr (kUneven != look_back_rows(sizeof(Word), Order, false)) {
        if (tuning.rows == kUneven)
          return launch.template operator()<TileIntegrator<Word, Order, kUneven, 3, kKind>, kOldest>(kUneven);
      }
    }
    constexpr unsigned kRows = look_back_rows(sizeof(Word), Order, false);
    return launch.template operator()<TileIntegrator<Word, Order, kRows, 3>>(kRows);
  });
}

}  // namespace tdz::cuda
