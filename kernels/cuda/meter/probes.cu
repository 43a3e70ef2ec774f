// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/meter/probes.hpp"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 4096;

unsigned blocks_for(std::uint64_t items) {
  const std::uint64_t blocks = (items + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks > kMostBlocks ? kMostBlocks : blocks);
}

__device__ std::uint64_t index_of_thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ std::uint64_t thread_count() {
  return std::uint64_t{gridDim.x} * blockDim.x;
}

/// splitmix64, a hash: every bit depends on all bits of its input.
__device__ std::uint64_t hashed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

__global__ void fill(std::uint64_t* out, std::uint64_t words) {
  for (std::uint64_t i = index_of_thread(); i < words; i += thread_count()) out[i] = hashed(i);
}

__global__ void compare(const std::byte* a, const std::byte* b, std::uint64_t bytes,
                        unsigned long long* first) {
  const std::uint64_t words = bytes / 8;
  const auto *x = reinterpret_cast<const std::uint64_t*>(a), *y = reinterpret_cast<const std::uint64_t*>(b);
  for (std::uint64_t i = index_of_thread(); i < words; i += thread_count()) {
    const std::uint64_t wrong = x[i] ^ y[i];
    if (wrong != 0) atomicMin(first, 8 * i + (__ffsll(static_cast<long long>(wrong)) - 1) / 8);
  }
  for (std::uint64_t i = 8 * words + index_of_thread(); i < bytes; i += thread_count()) {
    if (a[i] != b[i]) atomicMin(first, i);
  }
}

__global__ void chase(const std::uint64_t* memory, std::uint64_t words, unsigned steps,
                      unsigned long long* place) {
  std::uint64_t at = *place;
  for (unsigned i = 0; i < steps; ++i) at = __umul64hi(hashed(memory[at] + i), words);
  *place = at;
}

/// Every block adds itself to a count, stays until all blocks that fit on the device have started, and
/// subtracts itself again.
__global__ void residents(unsigned* counts) {
  constexpr long long kStay = 200'000;  // clocks: many times what it takes to start all blocks of a device
  if (threadIdx.x == 0) {
    const unsigned here = atomicAdd(&counts[0], blockDim.x) + blockDim.x;
    atomicMax(&counts[1], here);
    for (const long long begin = clock64(); clock64() - begin < kStay;) {
    }
    atomicSub(&counts[0], blockDim.x);
  }
  __syncthreads();  // keeps all threads resident
}

}  // namespace

cudaError_t probe_fill(std::byte* out, std::uint64_t bytes, cudaStream_t stream) {
  fill<<<blocks_for(bytes / 8), kThreads, 0, stream>>>(reinterpret_cast<std::uint64_t*>(out), bytes / 8);
  return cudaGetLastError();
}

cudaError_t probe_compare(const std::byte* a, const std::byte* b, std::uint64_t bytes,
                          unsigned long long* first, cudaStream_t stream) {
  compare<<<blocks_for(bytes / 8), kThreads, 0, stream>>>(a, b, bytes, first);
  return cudaGetLastError();
}

cudaError_t probe_chase(const std::byte* memory, std::uint64_t bytes, unsigned steps,
                        unsigned long long* place, cudaStream_t stream) {
  chase<<<1, 1, 0, stream>>>(reinterpret_cast<const std::uint64_t*>(memory), bytes / 8, steps, place);
  return cudaGetLastError();
}

cudaError_t probe_residents(unsigned* most, unsigned blocks, cudaStream_t stream) {
  residents<<<blocks, kThreads, 0, stream>>>(most);
  return cudaGetLastError();
}

}  // namespace tdz::cuda
