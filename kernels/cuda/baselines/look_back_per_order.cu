// SPDX-License-Identifier: Apache-2.0
// Decoupled look-back once for each order (Merrill and Garland, NVR-2016-002): a tile publishes its own total
// at once, and adds its predecessors' totals back to the nearest one that has published its inclusive sum.
// One thread looks back. Totals and inclusive sums lie in different arrays.
#include "kernels/cuda/baselines/one_phase.cuh"

namespace tdz::cuda::baseline {
namespace {

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

const tdz::cuda::Baseline tdz::cuda::kLookBackPerOrder = {"look-back-per-order", baseline::space_for_tiles,
                                                          baseline::one_phase<baseline::LookBackChain>};
