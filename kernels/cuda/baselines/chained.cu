// SPDX-License-Identifier: Apache-2.0
// The chained scan: each block waits for its predecessor's inclusive sum (Yan, Long and Zhang, "StreamScan:
// Fast Scan Algorithms for GPUs without Global Barrier Synchronization", PPoPP 2013).
#include "kernels/cuda/baselines/one_phase.cuh"

namespace tdz::cuda::baseline {
namespace {

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

}  // namespace
}  // namespace tdz::cuda::baseline

const tdz::cuda::Baseline tdz::cuda::kChained = {"chained", baseline::space_for_tiles,
                                                 baseline::one_phase<baseline::Chain>};
