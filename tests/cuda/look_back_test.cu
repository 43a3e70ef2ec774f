// SPDX-License-Identifier: Apache-2.0
// Does the look-back protocol carry the right sums from tile to tile? It runs alone, with invented aggregates
// and no data. With few and many tiles, several chunks, a single block on the device, and more blocks than
// fit.
#include <doctest/doctest.h>

#include <algorithm>

#include "kernels/cuda/integrate/look_back.cuh"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/quick.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using testing::check;
using testing::DeviceBuffer;
using testing::quick;

constexpr std::uint64_t kLength = 1504;  ///< lane steps of a tile; any number would do
constexpr unsigned kLanes = 3;

/// Numbers that use all bits; no two are equal.
TDZ_HOST_DEVICE constexpr std::uint64_t aggregate(std::uint64_t tile, unsigned lane, unsigned k) {
  std::uint64_t z = (tile * 64 + lane * 8 + k + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  return z ^ z >> 27;
}

template <class Word, unsigned Order>
TDZ_HOST_DEVICE Polynomial<Sum<Word>, Order> all_of(std::uint64_t tile, unsigned lane) {
  Polynomial<Sum<Word>, Order> sum;
  for (unsigned k = 0; k < Order; ++k) sum.term[k] = static_cast<Sum<Word>>(aggregate(tile, lane, k));
  return sum;
}

/// Each warp takes a lane; the block goes from tile to tile as the product does. The first warp computes
/// weights.
template <class Word, unsigned Order>
__global__ void walk(TileStates states, std::uint32_t* next_tile, std::uint32_t tiles_per_chunk,
                     Word* entered) {
  using Protocol = LookBack<Word, Order>;
  using Walk = WeightWalk<Sum<Word>, Order>;
  __shared__ TilePowers<Sum<Word>, Order> powers;
  __shared__ typename Protocol::Weights weights;
  __shared__ std::uint32_t claim;
  if (threadIdx.x < kWarp) {
    Walk::make_powers(powers, kLength, tiles_per_chunk);
    Walk::start(weights);
  }
  const Protocol protocol(states);
  const unsigned lane = threadIdx.x / kWarp, k = threadIdx.x % kWarp;
  Sum<Word> placed = 0;
  std::uint32_t last = ~0u, last_place = 0;
  for (;;) {
    __syncthreads();  // frees claim and weights
    if (threadIdx.x == 0) claim = atomicAdd(next_tile, 1);
    __syncthreads();  // publishes the claim
    const std::uint32_t tile = claim, place = tile % tiles_per_chunk;
    if (tile >= states.tiles) return;
    if (threadIdx.x < kWarp) {
      if (place < last_place) Walk::start(weights);
      __syncwarp();  // publishes them within the warp
      Walk::advance(weights, weights, powers, place < last_place ? place : place - last_place);
    }
    __syncthreads();  // publishes the weights
    protocol.publish(tile, lane, k < Order ? static_cast<Sum<Word>>(aggregate(tile, lane, k)) : 0, weights);
    const bool same_chunk = last < tile && last / tiles_per_chunk == tile / tiles_per_chunk;
    placed = (same_chunk ? placed : 0) + protocol.collect(same_chunk ? last : tile - place, tile, lane);
    const Sum<Word> carry = Protocol::moved_forward(placed, weights);
    if (k < Order) entered[(std::uint64_t{tile} * kLanes + lane) * Order + k] = static_cast<Word>(carry);
    last = tile;
    last_place = place;
  }
}

template <class Word, unsigned Order>
std::vector<Word> wanted(std::uint32_t tiles, std::uint32_t tiles_per_chunk) {
  const auto weights = advance_weights<Sum<Word>, Order>(kLength);
  std::vector<Word> all;
  Polynomial<Sum<Word>, Order> carry[kLanes];
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (tile % tiles_per_chunk == 0) carry[lane] = {};
      for (const auto term : carry[lane].term) all.push_back(static_cast<Word>(term));
      carry[lane] = multiply(add(carry[lane], all_of<Word, Order>(tile, lane)), weights);
    }
  }
  return all;
}

/// Dynamic shared memory that leaves room for one block on a multiprocessor only: just over half of it.
unsigned most_of_shared_memory() {
  int device = 0, most = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "cudaDeviceGetAttribute");
  return static_cast<unsigned>(most) / 2 + 1024;
}

template <class Word, unsigned Order>
void check_walk(std::uint32_t tiles, std::uint32_t tiles_per_chunk, unsigned blocks, unsigned shared_bytes) {
  CAPTURE(sizeof(Word));
  CAPTURE(Order);
  CAPTURE(tiles);
  CAPTURE(tiles_per_chunk);
  CAPTURE(blocks);
  DeviceBuffer descriptors(std::size_t{tiles} * kLanes * LookBack<Word, Order>::kDescriptors *
                           kDescriptorBytes),
      counter(16);
  DeviceBuffer entered(std::size_t{tiles} * kLanes * Order * sizeof(Word));
  check(cudaMemset(descriptors.data(), 0, descriptors.bytes()), "cudaMemset");
  check(cudaMemset(counter.data(), 0, counter.bytes()), "cudaMemset");
  entered.poison();
  const TileStates states{reinterpret_cast<uint4*>(descriptors.data()), tiles};
  check(cudaFuncSetAttribute(walk<Word, Order>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_of_shared_memory())),
        "cudaFuncSetAttribute");
  walk<Word, Order>
      <<<blocks, kLanes * kWarp, shared_bytes>>>(states, reinterpret_cast<std::uint32_t*>(counter.data()),
                                                 tiles_per_chunk, reinterpret_cast<Word*>(entered.data()));
  check(cudaGetLastError(), "launch");
  const std::vector<std::byte> bytes = entered.get();
  const std::vector<Word> right = wanted<Word, Order>(tiles, tiles_per_chunk);
  CHECK(std::equal(bytes.begin(), bytes.end(), reinterpret_cast<const std::byte*>(right.data())));
}

template <class Word, unsigned Order>
void check_tiles(std::uint32_t tiles) {
  constexpr unsigned kTooMany = 4000;  // blocks: more than any GPU holds at once
  check_walk<Word, Order>(tiles, tiles, kTooMany, 0);
  check_walk<Word, Order>(tiles, std::max(tiles / 3, 1u), 300, most_of_shared_memory());
  if (tiles > 1000) return;
  check_walk<Word, Order>(tiles, tiles, 1, 0);
  check_walk<Word, Order>(tiles, std::max(tiles / 3, 1u), 7, 0);
}

TEST_CASE("the right sums enter every tile") {
  for (const std::uint32_t tiles : {1u, 2u, 31u, 32u, 33u, 64u, 159u, 161u, 1000u, 1000000u}) {
    if (quick() && tiles > 161) continue;
    check_tiles<std::uint8_t, 1>(tiles);
    check_tiles<std::uint8_t, 8>(tiles);
    check_tiles<std::uint16_t, 3>(tiles);
    check_tiles<std::uint16_t, 8>(tiles);
    check_tiles<std::uint32_t, 1>(tiles);
    check_tiles<std::uint32_t, 4>(tiles);
    check_tiles<std::uint32_t, 8>(tiles);
    check_tiles<std::uint64_t, 1>(tiles);
    check_tiles<std::uint64_t, 5>(tiles);
    check_tiles<std::uint64_t, 8>(tiles);
  }
}

}  // namespace
