// SPDX-License-Identifier: Apache-2.0
// The one-phase scan: every tile is read once and written once for each order, and blocks pass sums to each
// other. A parameter says how.
#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda::baseline {
namespace {

/// Sums of tiles, and flags in another array. A flag is written after its sum, and read before it.
template <class Word, unsigned Tuple>
struct Relay {
  std::uint32_t* counter;  ///< hands out tiles
  std::uint32_t* flags;
  Row<Word, Tuple>* sums;
  std::uint32_t tiles;

  __device__ void publish(std::uint32_t at, const Row<Word, Tuple>& sum, std::uint32_t flag) const {
    for (unsigned i = 0; i < Tuple; ++i) *const_cast<volatile Word*>(&sums[at].word[i]) = sum.word[i];
    __threadfence();
    *const_cast<volatile std::uint32_t*>(&flags[at]) = flag;
  }
  __device__ std::uint32_t flag(std::uint32_t at) const {
    return *const_cast<volatile std::uint32_t*>(&flags[at]);
  }
  __device__ Row<Word, Tuple> sum(std::uint32_t at) const {
    __threadfence();
    Row<Word, Tuple> read;
    for (unsigned i = 0; i < Tuple; ++i) read.word[i] = *const_cast<volatile Word*>(&sums[at].word[i]);
    return read;
  }
};

template <class Link, class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads)
    scan_once(const Word* in, Word* out, std::uint64_t words, Relay<Word, Tuple> relay) {
  __shared__ Row<Word, Tuple> rows[kThreads * kRows<Word, Tuple>];
  __shared__ Row<Word, Tuple> room[KoggeStone::kRoom];
  __shared__ Row<Word, Tuple> carry;
  __shared__ std::uint32_t tile;
  if (threadIdx.x == 0) tile = atomicAdd(relay.counter, 1);
  __syncthreads();  // publishes the tile's number
  auto* words_of_tile = reinterpret_cast<Word*>(rows);
  load_tile<Word, Tuple>(in, words, tile, words_of_tile);
  __syncthreads();  // publishes the tile
  const auto own = scan_own_rows(rows);
  const auto before = KoggeStone::exclusive(own, room);
  if (threadIdx.x == kThreads - 1) carry = Link::carry(relay, tile, before + own);
  __syncthreads();  // publishes the carry
  add_to_own_rows(rows, carry + before);
  __syncthreads();  // publishes the sums
  store_tile<Word, Tuple>(out, words, tile, words_of_tile);
}

template <class Link>
cudaError_t one_phase(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream) {
  return with_row(steps, [&]<class Word, unsigned Tuple>() {
    const std::uint64_t words = chunk.bytes / sizeof(Word);
    const std::uint32_t tiles = tile_count<Word, Tuple>(chunk.bytes);
    auto* bytes = static_cast<std::byte*>(space);
    auto* counter = reinterpret_cast<std::uint32_t*>(bytes);
    const std::size_t flags_end = (128 + 4 * std::size_t{tiles} + 15) / 16 * 16;
    const Relay<Word, Tuple> relay = {counter, counter + 32,
                                      reinterpret_cast<Row<Word, Tuple>*>(bytes + flags_end), tiles};
    return scan_each_order<Word>(steps, chunk, [&](const Word* in, Word* out) {
      cudaMemsetAsync(space, 0, flags_end, stream);
      scan_once<Link><<<tiles, kThreads, 0, stream>>>(in, out, words, relay);
    });
  });
}

/// The chained scan: each block waits for its predecessor's inclusive sum (Yan, Long and Zhang, "StreamScan:
/// Fast Scan Algorithms for GPUs without Global Barrier Synchronization", PPoPP 2013).
struct Chain {
  /// A counter hands out tiles in order. So the predecessor already runs, and waits only for its own
  /// predecessors.
  template <class Word, unsigned Tuple>
  __device__ static Row<Word, Tuple> carry(const Relay<Word, Tuple>& relay, std::uint32_t tile,
                                           const Row<Word, Tuple>& total) {
    Row<Word, Tuple> before;
    if (tile > 0) {
      while (relay.flag(tile - 1) == 0) {
      }
      before = relay.sum(tile - 1);
    }
    relay.publish(tile, before + total, 1);
    return before;
  }
};

/// Decoupled look-back once for each order (Merrill and Garland, NVR-2016-002): a tile publishes its own
/// total at once, and adds its predecessors' totals back to the nearest one that has published its inclusive
/// sum. One thread looks back. Totals and inclusive sums lie in different arrays.
struct LookBackChain {
  enum : std::uint32_t { kTotal = 1, kInclusive = 2 };

  /// A counter hands out tiles in order. So all predecessors already run, and publish their totals without
  /// waiting.
  template <class Word, unsigned Tuple>
  __device__ static Row<Word, Tuple> carry(Relay<Word, Tuple> relay, std::uint32_t tile,
                                           const Row<Word, Tuple>& total) {
    Relay<Word, Tuple> inclusive = relay;
    inclusive.sums += relay.tiles;
    relay.publish(tile, total, kTotal);
    Row<Word, Tuple> before;
    for (std::uint32_t at = tile; at-- > 0;) {
      std::uint32_t flag = 0;
      while ((flag = relay.flag(at)) == 0) {
      }
      before = (flag == kInclusive ? inclusive : relay).sum(at) + before;
      if (flag == kInclusive) break;
    }
    inclusive.publish(tile, before + total, kInclusive);
    return before;
  }
};

}  // namespace
}  // namespace tdz::cuda::baseline

const tdz::cuda::Baseline tdz::cuda::kChained = {"chained", baseline::space_for_tiles,
                                                 baseline::one_phase<baseline::Chain>};

const tdz::cuda::Baseline tdz::cuda::kLookBackPerOrder = {"look-back-per-order", baseline::space_for_tiles,
                                                          baseline::one_phase<baseline::LookBackChain>};
