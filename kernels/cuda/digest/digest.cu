// SPDX-License-Identifier: Apache-2.0
// Digests of chunks: sums of segments, then the chain of each chunk.
#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/digest/stripe_sums.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 32 * kDigestWarps;
constexpr unsigned kAhead = 16;                                  ///< rows that are read before they are needed

struct DigestScratch {
  std::uint64_t* rows;
  std::uint32_t* arrived;  ///< thread blocks that have left their rows, for each chunk
};

__device__ void refuse(const DigestBatch& batch, std::uint32_t chunk, DigestStatus why) {
  if (batch.status != nullptr) batch.status[chunk] = static_cast<std::uint32_t>(why);
}

__device__ void deliver(const DigestBatch& batch, std::uint32_t chunk, std::uint64_t digest) {
  if (batch.digests != nullptr) batch.digests[chunk] = digest;
  if (batch.wanted != nullptr && batch.wanted[chunk] != digest) refuse(batch, chunk, DigestStatus::differs);
}

__device__ bool is_within(const DigestBatch& batch, const ChunkPlace& chunk) {
  return chunk.bytes <= xxh3::kLongest && chunk.bytes <= batch.longest && chunk.bytes <= batch.bytes &&
         chunk.offset <= batch.bytes - chunk.bytes;
}

/// This warp's part of a segment.
__device__ void sum_blocks(const xxh3::Byte* data, std::uint64_t blocks, std::uint32_t segment,
                           std::uint64_t* rows) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::uint64_t first = std::uint64_t{segment} * kSegmentBlocks + warp * kBlocksPerWarp;
  if (first >= blocks) return;
  const unsigned count =
      blocks - first < kBlocksPerWarp ? static_cast<unsigned>(blocks - first) : kBlocksPerWarp;
  const WarpSums sums(lane);
  const xxh3::Byte* at = data + first * xxh3::kBlock;
  auto* to = reinterpret_cast<ulonglong2*>(rows + first * xxh3::kStateWords);
  if (reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
    sums.run<true>(at, count, lane, to);
  } else {
    sums.run<false>(at, count, lane, to);
  }
}

/// Whether this thread block is the chunk's last one; then it sees the rows of all.
__device__ bool comes_last(std::uint32_t* arrived, std::uint32_t segments) {
  __shared__ bool last;
  __threadfence();  // publishes this thread's rows to the device
  __syncthreads();  // all rows of the thread block are published
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1u) == segments - 1;
  __syncthreads();  // publishes `last`
  if (last) __threadfence();
  return last;
}

/// Word `i` of the state behind the last scramble, with the tail's sum. Rows are read well ahead of the
/// chain, which is as slow as a multiplication, a shift and an xor a row.
__device__ std::uint64_t walk_chain(const std::uint64_t* rows, std::uint64_t links, std::uint64_t tail,
                                    unsigned i) {
  const std::uint64_t key = xxh3::secret(xxh3::kScrambleSecret + 8 * i);
  const auto sum = [&](std::uint64_t n) {
    return n < links ? __ldcg(rows + n * xxh3::kStateWords + i) : tail;
  };
  std::uint64_t state = xxh3::first_state(i) + sum(0);
  std::uint64_t next[kAhead];
#pragma unroll
  for (unsigned k = 0; k < kAhead; ++k) next[k] = sum(1 + k);
  for (std::uint64_t n = 0; n < links; n += kAhead) {
    std::uint64_t now[kAhead];
#pragma unroll
    for (unsigned k = 0; k < kAhead; ++k) now[k] = next[k];
#pragma unroll
    for (unsigned k = 0; k < kAhead; ++k) next[k] = sum(n + kAhead + 1 + k);
#pragma unroll
    for (unsigned k = 0; k < kAhead; ++k) {
      if (n + k < links) state = xxh3::scrambled(state, key, now[k]);
    }
  }
  return state;
}

/// By one warp. Lanes 8 to 31 do what lanes 0 to 7 do.
__device__ std::uint64_t long_digest(const xxh3::Byte* data, std::uint64_t bytes, const std::uint64_t* rows) {
  const unsigned lane = threadIdx.x, i = lane % xxh3::kStateWords;
  const WarpSums sums(lane);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  const std::uint64_t tail =
      is_aligned ? sums.tail<true>(data, bytes, lane) : sums.tail<false>(data, bytes, lane);
  const std::uint64_t state = walk_chain(rows, xxh3::scrambles_of(bytes), tail, i);
  const std::uint64_t odd = __shfl_down_sync(kAllLanes, state, 1);
  std::uint64_t sum = i % 2 == 0 ? xxh3::merged(state, odd, i / 2) : 0;
  for (unsigned bit = 4; bit > 0; bit /= 2) sum += __shfl_xor_sync(kAllLanes, sum, bit);
  return xxh3::finished(sum, bytes);
}

__global__ void __launch_bounds__(kThreads)
    digest_chunks(DigestBatch batch, DigestScratch scratch, std::uint32_t most_segments) {
  const std::uint32_t chunk = blockIdx.x / most_segments, segment = blockIdx.x % most_segments;
  const ChunkPlace place = batch.chunks[chunk];
  if (batch.status != nullptr && batch.status[chunk] != 0) return;
  if (!is_within(batch, place)) {
    if (segment == 0 && threadIdx.x == 0) refuse(batch, chunk, DigestStatus::refused);
    return;
  }
  const std::uint32_t segments = segments_of(place.bytes);
  if (segment >= segments) return;
  const auto* data = reinterpret_cast<const xxh3::Byte*>(batch.data) + place.offset;
  if (place.bytes <= xxh3::kLongestShort) {
    if (threadIdx.x == 0) deliver(batch, chunk, xxh3::short_digest(data, place.bytes));
    return;
  }
  std::uint64_t* rows = scratch.rows + first_row(place) * xxh3::kStateWords;
  sum_blocks(data, xxh3::scrambles_of(place.bytes), segment, rows);
  if (!comes_last(scratch.arrived + chunk, segments) || threadIdx.x >= 32) return;
  const std::uint64_t digest = long_digest(data, place.bytes, rows);
  if (threadIdx.x == 0) deliver(batch, chunk, digest);
}

}  // namespace

cudaError_t launch_digest(const DigestBatch& batch, void* scratch, cudaStream_t stream) {
  if (batch.count == 0) return cudaSuccess;
  const std::uint64_t longest = batch.longest < xxh3::kLongest ? batch.longest : xxh3::kLongest;
  const std::uint32_t segments = segments_of(longest);
  if (batch.count > 0x7FFFFFFFu / segments) return cudaErrorInvalidValue;
  auto* begin = static_cast<std::byte*>(scratch);
  const DigestScratch parts{reinterpret_cast<std::uint64_t*>(begin),
                            reinterpret_cast<std::uint32_t*>(begin + digest_row_bytes(batch.bytes))};
  const cudaError_t cleared =
      cudaMemsetAsync(parts.arrived, 0, std::size_t{batch.count} * sizeof(std::uint32_t), stream);
  if (cleared != cudaSuccess) return cleared;
  return launch_kernel(digest_chunks, dim3(batch.count * segments), kThreads, 0, stream, batch, parts,
                       segments);
}

}  // namespace tdz::cuda
