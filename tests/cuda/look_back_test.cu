// SPDX-License-Identifier: Apache-2.0
// Does the look-back protocol carry the right sums from post to post, on its own, with aggregates made up here? Few
// posts and many, several chains, a single block in the whole machine, and as many as one would launch.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/cuda/look_back.cuh"
#include "tests/cuda/device_buffer.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;

constexpr std::uint64_t kLength = 1504;  ///< lane steps of a post; any number would do
constexpr unsigned kLanes = 3;
constexpr unsigned kWarps = kLanes;

/// Made up so that all bits are in use and no two parts are alike.
TDZ_HOST_DEVICE constexpr std::uint64_t aggregate(std::uint64_t post, unsigned lane, unsigned k) {
  std::uint64_t z = (post * 64 + lane * 8 + k + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  return z ^ z >> 27;
}

template <class Sum, unsigned Order>
TDZ_HOST_DEVICE Polynomial<Sum, Order> all_of(std::uint64_t post, unsigned lane) {
  Polynomial<Sum, Order> sum;
  for (unsigned k = 0; k < Order; ++k) sum.term[k] = static_cast<Sum>(aggregate(post, lane, k));
  return sum;
}

/// Each warp takes a lane; the block goes from post to post as the product does. Without inclusive sums on the board
/// everything comes from aggregates and from what a block knows of its last post.
template <class Sum, unsigned Order>
__global__ void walk(Board board, std::uint32_t* handed_out, std::uint32_t chain, bool shows_sums, Sum* entered) {
  using Chain = LookBack<Sum, Order>;
  __shared__ typename Chain::Weights weights;
  __shared__ std::uint32_t claim;
  Chain::make_weights(weights, kLength);
  const Chain chain_of(board, weights);
  const unsigned part = threadIdx.x % kWarp, k = part / Chain::kHalves;
  typename Chain::Carry leaving;
  std::uint32_t last = ~0u;
  for (;;) {
    __syncthreads();  // frees the claim; the first time it publishes the weights
    if (threadIdx.x == 0) claim = atomicAdd(handed_out, 1);
    __syncthreads();  // publishes the claim
    const std::uint32_t post = claim;
    if (post >= board.posts) return;
    if (const unsigned lane = threadIdx.x / kWarp; lane < kLanes) {
      const Sum own = static_cast<Sum>(aggregate(post, lane, k));
      if (part < Chain::kParts) chain_of.show_part(post, lane, part, Shown::aggregate, own);
      const bool knows = last / chain == post / chain && last < post;
      const auto carry = knows ? chain_of.enter(last + 1, leaving, post, lane)
                               : chain_of.enter(post / chain * chain, {}, post, lane);
      leaving = add(carry, all_of<Sum, Order>(post, lane));
      Sum entering = 0;
      for (unsigned j = 0; j < Order; ++j) entering = j == k ? carry.term[j] : entering;
      if (part < Chain::kParts) {
        entered[(std::uint64_t{post} * kLanes + lane) * Order + k] = entering;
        if (shows_sums) chain_of.show_part(post, lane, part, Shown::inclusive, entering + own);
      }
    }
    last = post;
  }
}

template <class Sum, unsigned Order>
std::vector<Sum> wanted(std::uint32_t posts, std::uint32_t chain) {
  const auto weights = advance_weights<Sum, Order>(kLength);
  std::vector<Sum> all;
  Polynomial<Sum, Order> carry[kLanes];
  for (std::uint32_t post = 0; post < posts; ++post) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (post % chain == 0) carry[lane] = {};
      all.insert(all.end(), carry[lane].term, carry[lane].term + Order);
      carry[lane] = multiply(add(carry[lane], all_of<Sum, Order>(post, lane)), weights);
    }
  }
  return all;
}

template <class Sum, unsigned Order>
void check_walk(std::uint32_t posts, std::uint32_t chain, unsigned blocks, unsigned shared_bytes, bool shows_sums) {
  CAPTURE(sizeof(Sum));
  CAPTURE(Order);
  CAPTURE(posts);
  CAPTURE(chain);
  CAPTURE(blocks);
  using Chain = LookBack<Sum, Order>;
  DeviceBuffer entries(std::size_t{posts} * kLanes * Chain::kParts * 8), counter(16);
  DeviceBuffer entered(std::size_t{posts} * kLanes * Order * sizeof(Sum));
  check(cudaMemset(entries.data(), 0, entries.bytes()), "cudaMemset");
  check(cudaMemset(counter.data(), 0, counter.bytes()), "cudaMemset");
  entered.poison();
  const Board board{reinterpret_cast<std::uint64_t*>(entries.data()), posts};
  check(cudaFuncSetAttribute(walk<Sum, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10),
        "cudaFuncSetAttribute");
  walk<Sum, Order><<<blocks, kWarps * kWarp, shared_bytes>>>(board, reinterpret_cast<std::uint32_t*>(counter.data()),
                                                            chain, shows_sums,
                                                            reinterpret_cast<Sum*>(entered.data()));
  check(cudaGetLastError(), "launch");
  const std::vector<std::byte> bytes = entered.get();
  const std::vector<Sum> right = wanted<Sum, Order>(posts, chain);
  CHECK(std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(right.data())));
}

template <class Sum, unsigned Order>
void check_posts(std::uint32_t posts) {
  constexpr unsigned kTooMany = 4000;  // blocks: more than any GPU holds at once
  check_walk<Sum, Order>(posts, posts, kTooMany, 0, true);
  check_walk<Sum, Order>(posts, std::max(posts / 3, 1u), 300, 120 << 10, true);  // one block a multiprocessor
  if (posts > 1000) return;
  check_walk<Sum, Order>(posts, posts, 1, 0, true);
  check_walk<Sum, Order>(posts, std::max(posts / 3, 1u), 7, 0, false);
}

TEST_CASE("sums enter every post") {
  for (const std::uint32_t posts : {1u, 2u, 31u, 32u, 33u, 64u, 127u, 129u, 1000u, 1000000u}) {
    check_posts<std::uint32_t, 1>(posts);
    check_posts<std::uint32_t, 3>(posts);
    check_posts<std::uint32_t, 8>(posts);
    check_posts<std::uint64_t, 1>(posts);
    check_posts<std::uint64_t, 5>(posts);
    check_posts<std::uint64_t, 8>(posts);
  }
}

}  // namespace
