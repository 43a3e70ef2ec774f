// SPDX-License-Identifier: Apache-2.0
// Does the look-back protocol carry the right sums from post to post, on its own, with aggregates made up
// here? Few posts and many, several chains, a single block in the whole machine, and as many as one would
// launch.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/cuda/integrate/look_back.cuh"
#include "tests/cuda/device_buffer.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;

constexpr std::uint64_t kLength = 1504;  ///< lane steps of a post; any number would do
constexpr unsigned kLanes = 3;

/// Made up so that all bits are in use and no two parts are alike.
TDZ_HOST_DEVICE constexpr std::uint64_t aggregate(std::uint64_t post, unsigned lane, unsigned k) {
  std::uint64_t z = (post * 64 + lane * 8 + k + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  return z ^ z >> 27;
}

template <class Word, unsigned Order>
TDZ_HOST_DEVICE Polynomial<Sum<Word>, Order> all_of(std::uint64_t post, unsigned lane) {
  Polynomial<Sum<Word>, Order> sum;
  for (unsigned k = 0; k < Order; ++k) sum.term[k] = static_cast<Sum<Word>>(aggregate(post, lane, k));
  return sum;
}

/// Each warp takes a lane; the block goes from post to post as the product does. The first warp weighs.
template <class Word, unsigned Order>
__global__ void walk(Board board, std::uint32_t* handed_out, std::uint32_t chain, Word* entered) {
  using Chain = LookBack<Word, Order>;
  using Walk = WeightWalk<Sum<Word>, Order>;
  __shared__ PostPowers<Sum<Word>, Order> powers;
  __shared__ typename Chain::Weights weights;
  __shared__ std::uint32_t claim;
  if (threadIdx.x < kWarp) {
    Walk::make_powers(powers, kLength, chain);
    Walk::start(weights);
  }
  const Chain board_of(board);
  const unsigned lane = threadIdx.x / kWarp, k = threadIdx.x % kWarp;
  Sum<Word> placed = 0;
  std::uint32_t last = ~0u, last_place = 0;
  for (;;) {
    __syncthreads();  // frees claim and weights
    if (threadIdx.x == 0) claim = atomicAdd(handed_out, 1);
    __syncthreads();  // publishes the claim
    const std::uint32_t post = claim, place = post % chain;
    if (post >= board.posts) return;
    if (threadIdx.x < kWarp) {
      if (place < last_place) Walk::start(weights);
      __syncwarp();  // publishes them within the warp
      Walk::go_on(weights, weights, powers, place < last_place ? place : place - last_place);
    }
    __syncthreads();  // publishes the weights
    board_of.show(post, lane, k < Order ? static_cast<Sum<Word>>(aggregate(post, lane, k)) : 0, weights);
    const bool knows = last < post && last / chain == post / chain;
    placed = (knows ? placed : 0) + board_of.collect(knows ? last : post - place, post, lane);
    const Sum<Word> carry = Chain::onward(placed, weights);
    if (k < Order) entered[(std::uint64_t{post} * kLanes + lane) * Order + k] = static_cast<Word>(carry);
    last = post;
    last_place = place;
  }
}

template <class Word, unsigned Order>
std::vector<Word> wanted(std::uint32_t posts, std::uint32_t chain) {
  const auto weights = advance_weights<Sum<Word>, Order>(kLength);
  std::vector<Word> all;
  Polynomial<Sum<Word>, Order> carry[kLanes];
  for (std::uint32_t post = 0; post < posts; ++post) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (post % chain == 0) carry[lane] = {};
      for (const auto term : carry[lane].term) all.push_back(static_cast<Word>(term));
      carry[lane] = multiply(add(carry[lane], all_of<Word, Order>(post, lane)), weights);
    }
  }
  return all;
}

template <class Word, unsigned Order>
void check_walk(std::uint32_t posts, std::uint32_t chain, unsigned blocks, unsigned shared_bytes) {
  CAPTURE(sizeof(Word));
  CAPTURE(Order);
  CAPTURE(posts);
  CAPTURE(chain);
  CAPTURE(blocks);
  DeviceBuffer cells(std::size_t{posts} * kLanes * LookBack<Word, Order>::kCells * kCellBytes), counter(16);
  DeviceBuffer entered(std::size_t{posts} * kLanes * Order * sizeof(Word));
  check(cudaMemset(cells.data(), 0, cells.bytes()), "cudaMemset");
  check(cudaMemset(counter.data(), 0, counter.bytes()), "cudaMemset");
  entered.poison();
  const Board board{reinterpret_cast<uint4*>(cells.data()), posts};
  check(cudaFuncSetAttribute(walk<Word, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10),
        "cudaFuncSetAttribute");
  walk<Word, Order>
      <<<blocks, kLanes * kWarp, shared_bytes>>>(board, reinterpret_cast<std::uint32_t*>(counter.data()),
                                                 chain, reinterpret_cast<Word*>(entered.data()));
  check(cudaGetLastError(), "launch");
  const std::vector<std::byte> bytes = entered.get();
  const std::vector<Word> right = wanted<Word, Order>(posts, chain);
  CHECK(std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(right.data())));
}

template <class Word, unsigned Order>
void check_posts(std::uint32_t posts) {
  constexpr unsigned kTooMany = 4000;  // blocks: more than any GPU holds at once
  check_walk<Word, Order>(posts, posts, kTooMany, 0);
  check_walk<Word, Order>(posts, std::max(posts / 3, 1u), 300, 120 << 10);  // one block a multiprocessor
  if (posts > 1000) return;
  check_walk<Word, Order>(posts, posts, 1, 0);
  check_walk<Word, Order>(posts, std::max(posts / 3, 1u), 7, 0);
}

TEST_CASE("sums enter every post") {
  for (const std::uint32_t posts : {1u, 2u, 31u, 32u, 33u, 64u, 159u, 161u, 1000u, 1000000u}) {
    check_posts<std::uint8_t, 1>(posts);
    check_posts<std::uint8_t, 8>(posts);
    check_posts<std::uint16_t, 3>(posts);
    check_posts<std::uint16_t, 8>(posts);
    check_posts<std::uint32_t, 1>(posts);
    check_posts<std::uint32_t, 4>(posts);
    check_posts<std::uint32_t, 8>(posts);
    check_posts<std::uint64_t, 1>(posts);
    check_posts<std::uint64_t, 5>(posts);
    check_posts<std::uint64_t, 8>(posts);
  }
}

}  // namespace
