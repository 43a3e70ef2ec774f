// SPDX-License-Identifier: Apache-2.0
// Look-back: the tiles of few or long chunks are shared out to all blocks and joined through a board.
//
// A block is a crew, which scans tiles and writes values, a few warps of lookers, and a mover. The crew scans
// a tile and shows its aggregate one turn before it writes its values; in between the lookers find the
// carries that enter it. So the crew seldom waits, and a look-back asks for aggregates that others showed
// about a turn ago. The mover claims tiles, sends written ones out and brings the next ones in, part by part,
// whatever the others are waiting for: there is always something on its way. Before compute capability 9.0
// the crew moves its own tiles.
#pragma once

#include "kernels/cuda/look_back.cuh"
#include "kernels/cuda/open_chunk.cuh"
#include "kernels/cuda/tile_copy.cuh"

namespace tdz::cuda {

/// What the blocks of a launch share: a counter of tiles handed out, and the board.
struct ChainSpace {
  std::uint32_t* handed_out = nullptr;
  Board board;
  std::uint32_t tiles_per_chunk = 0;  ///< of the longest chunk
};

/// Crew, lookers and mover. Registers are handed out to four warps at a time: 96 a thread to 20 warps; 24
/// would get 80, and the lookers of high orders would spill (0.83 instead of 0.90 at order 8, u32, H100).
inline constexpr unsigned kMaxChainWarps = 20;
inline constexpr unsigned kMaxLookers = 8;  ///< warps; they share out the lanes of the tuple

inline constexpr unsigned kClaims = 2 * kMaxStages;  ///< a ring: claims of loads ahead and of tiles in work

template <class Tiles>
class ChainBlock {
 public:
  using Word = typename Tiles::Word;
  using Total = typename Tiles::Total;
  using Carry = typename Tiles::Carry;
  using Held = typename Tiles::Held;
  static constexpr unsigned Order = Tiles::kOrder;
  using Chain = LookBack<Word, Order>;

  struct Shared {
    typename Chain::Weights weights;
    std::uint32_t claim[kClaims];
    std::uint64_t written[kMaxStages];  ///< a barrier a stage: its values may leave
  };

  __device__ ChainBlock(const TilePlan& plan, const ChunkBatch& batch, const ChainSpace& space,
                        std::byte* shared, Shared& own)
      : plan_(plan),
        batch_(batch),
        space_(space),
        own_(own),
        tiles_(plan, shared),
        chain_(space.board, own.weights),
        carries_(reinterpret_cast<Total*>(shared + plan.carries_at())) {
#if TDZ_BULK_COPY
    for (unsigned s = 0; threadIdx.x == 0 && s < plan.stages; ++s) {
      arrival_init(own.written + s, plan.shape.threads());
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    __syncthreads();  // publishes the barriers
    Chain::make_weights(own.weights, plan.shape.tile_rows());
    __syncthreads();  // publishes the weights
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

  /// The crew: scans the next turn's tile, then finishes this turn's.
  __device__ void work() const {
    load_first();
    Held held = scan_and_show(0);
    meet();  // publishes the first totals
    for (unsigned turn = 0; claimed(turn); ++turn) {
      const Held held_of_next = scan_and_show(turn + 1);
      meet();  // publishes totals and carries
      write_values(turn, held);
      hand_over(turn);
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
    for (unsigned turn = 0; turn < plan_.stages; ++turn) {
      bring_next(turn);
      if (turn == 0) tiles_.wait_load(0);
    }
    for (unsigned turn = 0; claimed(turn); ++turn) {
      arrival_wait(own_.written + turn % plan_.stages, turn / plan_.stages % 2);
      with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.send(turn, chunk, row); });
      bring_next(turn + plan_.stages);
    }
    finish_stores();
  }
  /// The tile's arrival publishes the claim too.
  __device__ void bring_next(unsigned turn) const {
    if (threadIdx.x % kWarp == 0) own_.claim[turn % kClaims] = atomicAdd(space_.handed_out, 1);
    __syncwarp();  // publishes the claim within the warp
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.bring(turn, chunk, row); });
    if (!place(turn).exists) tiles_.skip_load(turn);
  }
  /// The crew's values are for the mover to send.
  __device__ void hand_over(unsigned turn) const {
    arrive(own_.written + turn % plan_.stages);
  }
#else
  __device__ void move() const {}  // the crew does

  __device__ void load_first() const {
    for (unsigned turn = 0; turn < plan_.stages; ++turn) {
      if (threadIdx.x == 0) own_.claim[turn] = atomicAdd(space_.handed_out, 1);
      crew_sync(plan_.shape.threads());  // publishes the claim
      start_load(turn);
    }
  }
  __device__ void start_load(unsigned turn) const {
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_load(turn, chunk, row); });
    tiles_.close_load();
  }
  __device__ void hand_over(unsigned turn) const {
    const unsigned next = turn + plan_.stages;
    if (threadIdx.x == 0) own_.claim[next % kClaims] = atomicAdd(space_.handed_out, 1);
    crew_sync(plan_.shape.threads());  // publishes values and claim
    with_tile(turn, [&](const OpenChunk& chunk, std::uint64_t row) { tiles_.start_store(turn, chunk, row); });
    crew_sync(plan_.shape.threads());  // frees the stage
    start_load(next);
  }
#endif

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
    if (!place(turn).exists) return;
    for (unsigned lane = threadIdx.x / kWarp; lane < plan_.shape.tuple; lane += plan_.shape.warps()) {
      chain_.show(post(turn), lane, k < Order ? tiles_.tile_total(turn, k, lane) : Total{0});
    }
  }

  /// Finds the carries that enter the tile, and keeps those that leave it.
  __device__ void look_back(unsigned turn) const {
    const Place at = place(turn);
    if (!at.exists) return;
    const unsigned k = threadIdx.x % kWarp;
    const unsigned first = plan_.shape.warps(), lookers = blockDim.x / kWarp - 1 - first;
    for (unsigned lane = threadIdx.x / kWarp - first; lane < plan_.shape.tuple; lane += lookers) {
      const Start start = start_of(turn, lane);
      const Carry carry = chain_.enter(start.first, start.carry, post(turn), lane);
      if (k == 0) {
        for (unsigned j = 0; j < Order; ++j) carry_of(turn, j, lane) = carry.term[j];
      }
      __syncwarp();  // publishes the lane's carry; its start has been read
      if (k < Order) leaving_of(k, lane) = carry_of(turn, k, lane) + tiles_.tile_total(turn, k, lane);
    }
  }
  struct Start {
    std::uint32_t first;
    Carry carry;
  };
  /// Where a look-back may end: behind this block's last tile, or at the chunk's first one. A lane always has
  /// the same looker, so nothing has to be published.
  __device__ Start start_of(unsigned turn, unsigned lane) const {
    const Place at = place(turn);
    __syncwarp();  // the last turn's sums have been written
    if (turn == 0 || !place(turn - 1).exists || place(turn - 1).chunk != at.chunk)
      return {post(turn) - at.tile, {}};
    Start start{post(turn - 1) + 1, {}};
    for (unsigned k = 0; k < Order; ++k) start.carry.term[k] = leaving_of(k, lane);
    return start;
  }
  __device__ Total& carry_of(unsigned turn, unsigned k, unsigned lane) const {
    return carries_[(turn % 2 * Order + k) * plan_.shape.tuple + lane];
  }

  /// Placed at the start of this block's last tile.
  __device__ Total& leaving_of(unsigned k, unsigned lane) const {
    return carries_[(2 * Order + k) * plan_.shape.tuple + lane];
  }

  __device__ void write_values(unsigned turn, const Held& held) const {
    if (!place(turn).exists) return;
    const auto entering = [&](unsigned k, unsigned lane) { return carry_of(turn, k, lane); };
    const auto unasked = [](unsigned, const Carry&) {};  // the looker knows what leaves
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

template <class Tiles>
__global__ void __launch_bounds__(kMaxChainWarps* kWarp)
    integrate_look_back(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch,
                        const __grid_constant__ ChainSpace space) {
  using Block = ChainBlock<Tiles>;
  extern __shared__ __align__(128) std::byte shared[];
  __shared__ typename Block::Shared own;
  Block(plan, batch, space, shared, own).run();
}

}  // namespace tdz::cuda
