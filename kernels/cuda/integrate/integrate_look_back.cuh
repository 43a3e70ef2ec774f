// SPDX-License-Identifier: Apache-2.0
// Look-back: the tiles of few or long chunks are shared out to all blocks and joined through a board.
//
// A block is a crew, which scans tiles and writes values, a few warps of lookers, and a mover. The crew scans
// a tile and shows its aggregate one turn before it writes its values; in between the lookers find the
// carries that enter it. So the crew seldom waits, and a look-back asks for aggregates that others showed
// about a turn ago. The mover claims tiles and makes their weights, sends written ones out and brings the
// next ones in, part by part, whatever the others are waiting for: there is always something on its way.
// Before compute capability 9.0 the crew moves its own tiles.
#pragma once

#include "kernels/cuda/integrate/look_back.cuh"
#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"

namespace tdz::cuda {

/// What the blocks of a launch share: a counter of tiles handed out, and the board.
struct ChainSpace {
  std::uint32_t* handed_out = nullptr;
  Board board;
  std::uint32_t tiles_per_chunk = 0;  ///< of the longest chunk
};

template <class Tiles>
class ChainBlock {
 public:
  using Word = typename Tiles::Word;
  using Total = typename Tiles::Total;
  using Carry = typename Tiles::Carry;
  using Held = typename Tiles::Held;
  static constexpr unsigned Order = Tiles::kOrder;
  using Chain = LookBack<Word, Order>;
  using Walk = WeightWalk<Total, Order>;

  struct Shared {
    PostPowers<Total, Order> powers;
    typename Chain::Weights weights[kClaims];
    std::uint32_t claim[kClaims];
    // Barriers, one a stage.
    std::uint64_t weighed[kMaxStages];  ///< the weights of its turn are there
    std::uint64_t written[kMaxStages];  ///< its values may leave
  };

  __device__ ChainBlock(const TilePlan& plan, const ChunkBatch& batch, const ChainSpace& space,
                        std::byte* shared, Shared& own)
      : plan_(plan),
        batch_(batch),
        space_(space),
        own_(own),
        tiles_(plan, shared),
        chain_(space.board),
        carries_(reinterpret_cast<Total*>(shared + plan.carries_at())) {
#if TDZ_BULK_COPY
    for (unsigned s = 0; threadIdx.x == 0 && s < plan.stages; ++s) {
      arrival_init(own.weighed + s, kWarp);
      arrival_init(own.written + s, plan.shape.threads());
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    __syncthreads();  // publishes the barriers, and what the tiles have made
  }

  __device__ void run() const {
    if (threadIdx.x < plan_.shape.threads()) {
      work();
    } else if (threadIdx.x < blockDim.x - kWarp) {
      look();
    } else {
      move();
    }
  }

 private:
  /// Crew and lookers come to the same barrier from different places, which __syncthreads() does not allow.
  __device__ static void meet() {
    asm volatile("barrier.sync 2, %0;" ::"r"(blockDim.x - kWarp) : "memory");
  }

  /// The crew: scans a turn's tile, then finishes the one before. The scan is written once, for it is most of
  /// the kernel.
  __device__ void work() const {
    load_first();
    Held held;
    for (unsigned turn = 0;; ++turn) {
      const Held held_of_next = scan_and_show(turn);
      meet();  // publishes totals and carries
      if (turn != 0) {
        write_values(turn - 1, held);
        hand_over(turn - 1);
      }
      if (!claimed(turn)) return;
      held = held_of_next;
    }
  }

  /// The lookers: carries for every turn.
  __device__ void look() const {
    meet();  // totals have come
    for (unsigned turn = 0; claimed(turn); ++turn) {
      look_back(turn);
      meet();  // publishes carries
    }
  }

#if TDZ_BULK_COPY
  __device__ void load_first() const {}  // the mover does

  /// The mover. Claims the first tiles one at a time and the second only when the first is in: so the blocks
  /// take turns. If one block claimed several neighbours at once, the others would wait for tiles that it
  /// scans turns later.
  __device__ void move() const {
    for (unsigned next = 0;; ++next) {
      if (next >= plan_.stages && !send(next - plan_.stages)) break;
      bring_next(next);
      if (next == 0) make_powers();
      weigh(next);  // while the tile is on its way
      arrive(own_.weighed + next % plan_.stages);
      if (next == 0) tiles_.wait_load(0);
    }
    finish_stores();
  }
  /// Sends a turn's values; false if there is no such turn.
  __device__ bool send(unsigned turn) const {
    if (!claimed(turn)) return false;
    arrival_wait(own_.written + turn % plan_.stages, turn / plan_.stages % 2);
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.send(turn, chunk, row); });
    return true;
  }
  __device__ void wait_for_weights(unsigned turn) const {
    arrival_wait(own_.weighed + turn % plan_.stages, turn / plan_.stages % 2);
  }
  /// The tile's arrival publishes the claim too.
  __device__ void bring_next(unsigned turn) const {
    claim(turn);
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.bring(turn, chunk, row); });
    if (!place(turn).exists) tiles_.skip_load(turn);
  }
  /// The crew's values are for the mover to send.
  __device__ void hand_over(unsigned turn) const {
    arrive(own_.written + turn % plan_.stages);
  }
#else
  __device__ void move() const {}  // the crew does

  __device__ void wait_for_weights(unsigned) const {}  // they came with the claim

  __device__ void load_first() const {
    if (threadIdx.x < kWarp) make_powers();
    for (unsigned turn = 0; turn < plan_.stages; ++turn) {
      claim_and_weigh(turn);
      crew_sync(plan_.shape.threads());  // publishes claim and weights
      start_load(turn);
    }
  }
  /// The crew's first warp.
  __device__ void claim_and_weigh(unsigned turn) const {
    if (threadIdx.x >= kWarp) return;
    claim(turn);
    weigh(turn);
  }
  __device__ void start_load(unsigned turn) const {
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_load(turn, chunk, row); });
    tiles_.close_load();
  }
  __device__ void hand_over(unsigned turn) const {
    const unsigned next = turn + plan_.stages;
    claim_and_weigh(next);
    crew_sync(plan_.shape.threads());  // publishes values, claim and weights
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_store(turn, chunk, row); });
    crew_sync(plan_.shape.threads());  // frees the stage
    start_load(next);
  }
#endif

  // A warp claims tiles and makes their weights, always the same one.
  __device__ void claim(unsigned turn) const {
    if (threadIdx.x % kWarp == 0) own_.claim[turn % kClaims] = atomicAdd(space_.handed_out, 1);
    __syncwarp();  // publishes the claim within the warp
  }
  __device__ void make_powers() const {
    Walk::make_powers(own_.powers, plan_.shape.tile_rows(), space_.tiles_per_chunk);
  }
  /// Weights depend on the tile's number in its chunk alone, so they are carried on into the next chunk too.
  __device__ void weigh(unsigned turn) const {
    auto& weights = own_.weights[turn % kClaims];
    const std::uint32_t tile = place(turn).tile, before = turn == 0 ? 0 : place(turn - 1).tile;
    const bool from_start = turn == 0 || tile < before;
    if (from_start) Walk::start(weights);
    __syncwarp();  // publishes them within the warp
    Walk::go_on(weights, weights_of(from_start ? turn : turn - 1), own_.powers,
                from_start ? tile : tile - before);
    __syncwarp();  // publishes them within the warp
  }
  __device__ const typename Chain::Weights& weights_of(unsigned turn) const {
    return own_.weights[turn % kClaims];
  }

  struct Place {
    std::uint32_t chunk, tile;
    bool exists;  ///< false beyond the batch, and beyond the end of a shorter chunk
  };
  __device__ std::uint32_t post(unsigned turn) const {
    return own_.claim[turn % kClaims];
  }
  __device__ bool claimed(unsigned turn) const {
    return post(turn) < space_.board.posts;
  }
  __device__ Place place(unsigned turn) const {
    const std::uint32_t chunk = post(turn) / space_.tiles_per_chunk,
                        tile = post(turn) % space_.tiles_per_chunk;
    return {chunk, tile, claimed(turn) && tile < tiles_of(batch_[chunk].bytes / sizeof(Word), plan_.shape)};
  }
  /// Calls use(chunk, row) if the turn has a tile.
  template <class Use>
  __device__ void with_tile(unsigned turn, const Use& use) const {
    const Place at = place(turn);
    if (at.exists)
      use(OpenChunk(plan_.steps, batch_[at.chunk]), std::uint64_t{at.tile} * plan_.shape.tile_rows());
  }

  /// Shows the aggregate at once: others wait for it, and this block's own look-back must not hold it up.
  __device__ Held scan_and_show(unsigned turn) const {
    const Held held = scan(turn);
    crew_sync(plan_.shape.threads());  // publishes the warps' totals
    show(turn);
    return held;
  }
  __device__ Held scan(unsigned turn) const {
    Held held;
    tiles_.wait_load(turn);  // a turn without a tile has a phase too
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) {
      tiles_.finish_load(turn, chunk, row);
      held = tiles_.scan(turn, chunk, row);
    });
    if (claimed(turn) && place(turn).tile == 0) copy_trailing<Word>(batch_[place(turn).chunk]);
    return held;
  }

  /// Thread k of a warp, order k of a lane.
  __device__ void show(unsigned turn) const {
    const unsigned k = threadIdx.x % kWarp;
    wait_for_weights(turn);
    if (!place(turn).exists) return;
    for (unsigned lane = threadIdx.x / kWarp; lane < plan_.shape.tuple; lane += plan_.shape.warps()) {
      const Total aggregate = k < Order ? tiles_.tile_total(turn, k, lane) : Total{0};
      chain_.show(post(turn), lane, aggregate, weights_of(turn));
    }
  }

  /// Finds the carries that enter the tile. Thread k of a warp, order k of a lane.
  __device__ void look_back(unsigned turn) const {
    const Place at = place(turn);
    if (!at.exists) return;
    const unsigned k = threadIdx.x % kWarp;
    const unsigned first = plan_.shape.warps(), lookers = blockDim.x / kWarp - 1 - first;
    const bool goes_on = turn != 0 && place(turn - 1).exists && place(turn - 1).chunk == at.chunk;
    const std::uint32_t since = goes_on ? post(turn - 1) : post(turn) - at.tile;
    for (unsigned lane = threadIdx.x / kWarp - first; lane < plan_.shape.tuple; lane += lookers) {
      Total placed = chain_.collect(since, post(turn), lane);
      if (goes_on && k < Order) placed += placed_of(k, lane);
      const Total carry = Chain::onward(placed, weights_of(turn));
      if (k >= Order) continue;
      placed_of(k, lane) = placed;
      carry_of(turn, k, lane) = carry;
    }
  }
  __device__ Total& carry_of(unsigned turn, unsigned k, unsigned lane) const {
    return carries_[(turn % 2 * Order + k) * plan_.shape.tuple + lane];
  }
  /// All that lies before this block's last tile, placed at the chunk's first row. A lane always has the same
  /// looker, and an order the same thread, so nothing has to be published.
  __device__ Total& placed_of(unsigned k, unsigned lane) const {
    return carries_[(2 * Order + k) * plan_.shape.tuple + lane];
  }

  __device__ void write_values(unsigned turn, const Held& held) const {
    if (!place(turn).exists) return;
    const auto entering = [&](unsigned k, unsigned lane) { return carry_of(turn, k, lane); };
    const auto unasked = [](unsigned, const Carry&) {};  // what this tile adds is on the board
    tiles_.write_values(turn, held, entering, unasked);
  }

  const TilePlan& plan_;
  const ChunkBatch& batch_;
  const ChainSpace& space_;
  Shared& own_;
  Tiles tiles_;
  Chain chain_;
  Total* carries_;
};

/// One block a multiprocessor is all that shared memory holds; unless told, the compiler saves registers for
/// two, and what it spills comes back from the L2 cache.
template <class Tiles>
__global__ void __launch_bounds__(chain_warps(sizeof(typename Tiles::Word), Tiles::kOrder) * kWarp, 1)
    integrate_look_back(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch,
                        const __grid_constant__ ChainSpace space) {
  using Block = ChainBlock<Tiles>;
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ typename Block::Shared own;
  Block(plan, batch, space, shared, own).run();
}

}  // namespace tdz::cuda
