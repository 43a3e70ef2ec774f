// SPDX-License-Identifier: Apache-2.0
// The decode table of a tree, made by a warp in shared memory: one entry for every possible next `longest`
// bits.
#pragma once

#include "kernels/cuda/frames/bit_ring.cuh"
#include "kernels/uniform/stream_place.hpp"
#include "kernels/uniform/token_shape.hpp"

namespace tdz::cuda {

/// What making a table needs, in shared memory.
struct TreeSpace {
  uniform::TreeWeights tree;
  uniform::FseSpace fse;
  std::uint8_t description[uniform::kMostDescription];
  uniform::WeightCounts count, next;
  std::uint32_t good;
};

struct TokenRules {
  std::uint32_t k, m, tokens;
};

/// Reads the tree at these bytes of device memory, and counts its weights. The listed weights are the work of
/// one thread; the others wait.
__device__ inline bool read_tree(const std::uint8_t* bytes, std::uint32_t size, TreeSpace& space,
                                 unsigned thread) {
  if (size > uniform::kMostDescription) size = uniform::kMostDescription;
  for (unsigned i = thread; i < size; i += kWarpThreads) space.description[i] = bytes[i];
  if (thread < uniform::kWeightKinds) space.count[thread] = 0;
  __syncwarp();
  if (thread == 0) space.good = uniform::listed_weights(space.description, size, space.fse, space.tree) != 0;
  __syncwarp();
  bool good = space.good != 0;
  for (unsigned s = thread; good && s < space.tree.symbols; s += kWarpThreads) {
    const unsigned weight = space.tree.of[s];
    good = weight <= uniform::kHeaviest;
    if (good) atomicAdd(&space.count[weight], 1u);
  }
  if (!__all_sync(~0u, good)) return false;
  __syncwarp();
  if (thread == 0) {
    space.good = uniform::complete(space.tree, space.count);
    if (space.good != 0) ++space.count[space.tree.of[space.tree.symbols - 1]];
  }
  __syncwarp();
  return space.good != 0;
}

/// The weight of a symbol; 0 behind the last one.
__device__ inline std::uint32_t weight_of(const TreeSpace& space, std::uint32_t symbol) {
  return symbol < space.tree.symbols ? space.tree.of[symbol] : 0u;
}

/// space.next[w]: the first entry of the codes of weight w. The longest codes come first.
__device__ inline void find_begins(TreeSpace& space, unsigned thread) {
  if (thread < uniform::kWeightKinds) {
    std::uint32_t begin = 0;
    for (unsigned w = 1; w < thread; ++w) begin += space.count[w] << (w - 1);
    space.next[thread] = begin;
  }
  __syncwarp();
}

/// Codes of at most 8 entries are written by the thread that has the symbol, others by the warp.
template <class Entry>
__device__ void fill_entries(typename Entry::Word* table, std::uint32_t begin, std::uint32_t weight,
                             std::uint32_t entry, unsigned thread) {
  constexpr std::uint32_t kAlone = 4;
  const std::uint32_t count = weight == 0 ? 0 : 1u << (weight - 1);
  if (weight <= kAlone)
    for (unsigned i = 0; i < count; ++i) table[begin + i] = static_cast<typename Entry::Word>(entry);
  for (unsigned longer = __ballot_sync(~0u, weight > kAlone); longer != 0; longer &= longer - 1) {
    const int from = __ffs(static_cast<int>(longer)) - 1;
    const std::uint32_t b = __shfl_sync(~0u, begin, from), n = __shfl_sync(~0u, count, from),
                        e = __shfl_sync(~0u, entry, from);
    for (unsigned i = thread; i < n; i += kWarpThreads) table[b + i] = static_cast<typename Entry::Word>(e);
  }
}

/// False: a token has a code that no word has. Precondition: read_tree() was true, and there is room for the
/// longest code.
template <class Entry>
__device__ bool make_table(TreeSpace& space, typename Entry::Word* table, const TokenRules& rules,
                           unsigned thread) {
  find_begins(space, thread);
  bool good = true;
  for (unsigned first = 0; first < space.tree.symbols; first += kWarpThreads) {
    const std::uint32_t symbol = first + thread, weight = weight_of(space, symbol);
    good = good && (weight == 0 || symbol < rules.tokens);
    const unsigned alike = __match_any_sync(~0u, weight), before = alike & ((1u << thread) - 1);
    const std::uint32_t units = weight == 0 ? 0 : 1u << (weight - 1);
    const std::uint32_t begin = space.next[weight] + __popc(before) * units;
    __syncwarp();
    if (before == 0) space.next[weight] += __popc(alike) * units;
    const auto shape = uniform::shape_of_token(rules.k, rules.m, symbol);
    const std::uint32_t entry = uniform::entry_of<Entry>(shape, space.tree.longest + 1 - weight);
    fill_entries<Entry>(table, begin, weight, entry, thread);
    __syncwarp();
  }
  return __all_sync(~0u, good);
}

}  // namespace tdz::cuda
