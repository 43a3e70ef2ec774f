// SPDX-License-Identifier: Apache-2.0
// Digests of chunks: sums of segments, then the chain of each chunk.
#include "kernels/cuda/digest/block_sums.cuh"
#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/tile/async_copy.cuh"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 32 * kDigestWarps;
constexpr unsigned kStageRows = 128;  ///< of a chain, in shared memory
constexpr unsigned kRowsAhead = 8;    ///< of a chain, in registers
constexpr unsigned kRowAccesses = kRowBytes / sizeof(ulonglong2);

/// Thread blocks of a multiprocessor: what registers allow. Sums take many; 1024 chains at once are as many
/// as a GPU has use for.
template <bool HasRows>
constexpr unsigned kResident = HasRows ? 8 : 4;

struct DigestScratch {
  std::uint64_t* rows;
  std::uint32_t* arrived;  ///< thread blocks that have left their rows, for each chunk
};

/// By one thread.
__device__ void tell(const DigestBatch& batch, std::uint32_t chunk, std::uint32_t status) {
  if (batch.results != nullptr) batch.results[chunk] = status;
}

__device__ void refuse(const DigestBatch& batch, std::uint32_t chunk, DigestStatus why) {
  if (batch.status != nullptr) batch.status[chunk] = static_cast<std::uint32_t>(why);
  tell(batch, chunk, static_cast<std::uint32_t>(why));
}

__device__ void deliver(const DigestBatch& batch, std::uint32_t chunk, std::uint64_t digest) {
  if (batch.digests != nullptr) batch.digests[chunk] = digest;
  if (batch.wanted != nullptr && batch.wanted[chunk] != digest)
    refuse(batch, chunk, DigestStatus::differs);
  else
    tell(batch, chunk, 0);
}

__device__ bool is_within(const DigestBatch& batch, const ChunkPlace& chunk) {
  return chunk.bytes <= xxh3::kLongest && chunk.bytes <= batch.longest && chunk.bytes <= batch.bytes &&
         chunk.offset <= batch.bytes - chunk.bytes;
}

// ---- Sums of the stripes of whole blocks, by one warp: block_sums.cuh

constexpr unsigned kAllThreads = 0xFFFFFFFF;

/// Reads 16 bytes at `at`. Aligned: the address is a multiple of 16. Otherwise nothing outside the 16 bytes
/// is read.
template <bool Aligned>
__device__ ulonglong2 load_pair(const xxh3::Byte* at) {
  if constexpr (Aligned) {
    return __ldcs(reinterpret_cast<const ulonglong2*>(at));
  } else {
    return {xxh3::read64(at), xxh3::read64(at + 8)};
  }
}

struct WarpSums : BlockSums {
  __device__ explicit WarpSums(unsigned thread) : BlockSums(thread) {}

  /// Sums `count` blocks (1 to 8) from `blocks` on, and stores their rows.
  template <bool Aligned>
  __device__ void run(const xxh3::Byte* blocks, unsigned count, unsigned thread, ulonglong2* rows) const {
    xxh3::Pair sum[kBlocksPerWarp];
    const xxh3::Byte* at = blocks + 16 * thread;
    if (count == kBlocksPerWarp) {
      add_blocks<Aligned>(at, sum);
    } else {
#pragma unroll
      for (unsigned b = 0; b < kBlocksPerWarp; ++b) {
        if (b < count) add_block<Aligned>(at + b * xxh3::kBlock, sum[b]);
      }
    }
    gather(sum, thread);
    if (thread / 4 < count) rows[thread] = {sum[0].even, sum[0].odd};
  }

  /// What comes after the last scramble: its whole stripes, and the input's last 64 bytes. Word thread % 8.
  template <bool Aligned>
  __device__ std::uint64_t tail(const xxh3::Byte* data, std::uint64_t bytes, unsigned thread) const {
    const xxh3::Byte* at = data + xxh3::scrambles_of(bytes) * xxh3::kBlock + 16 * thread;
    const unsigned stripes = xxh3::tail_stripes(bytes);
    xxh3::Pair sum;
    if (thread / 4 < stripes) add(sum, 0, load_pair<Aligned>(at));
    if (thread / 4 + 8 < stripes) add(sum, 1, load_pair<Aligned>(at + xxh3::kBlock / 2));
    if (thread < 4) add_last(sum, data + bytes - xxh3::kStripe + 16 * thread, thread);
    for (unsigned bit = 16; bit >= 4; bit /= 2) {
      sum.even += __shfl_xor_sync(kAllThreads, sum.even, bit);
      sum.odd += __shfl_xor_sync(kAllThreads, sum.odd, bit);
    }
    const std::uint64_t even = __shfl_sync(kAllThreads, sum.even, thread % 8 / 2);
    const std::uint64_t odd = __shfl_sync(kAllThreads, sum.odd, thread % 8 / 2);
    return thread % 2 == 0 ? even : odd;
  }

 private:
  /// The last 64 bytes begin anywhere.
  __device__ static void add_last(xxh3::Pair& sum, const xxh3::Byte* at, unsigned pair) {
    const ulonglong2 read = load_pair<false>(at);
    xxh3::add_stripe(sum, xxh3::last_key(pair), read.x, read.y);
  }

  __device__ void add(xxh3::Pair& sum, unsigned half, ulonglong2 read) const {
    BlockSums::add(sum, half, read.x, read.y);
  }

  template <bool Aligned>
  __device__ void add_block(const xxh3::Byte* at, xxh3::Pair& sum) const {
    add(sum, 0, load_pair<Aligned>(at));
    add(sum, 1, load_pair<Aligned>(at + xxh3::kBlock / 2));
  }

  /// All loads before the first sum.
  template <bool Aligned>
  __device__ void add_blocks(const xxh3::Byte* at, xxh3::Pair (&sum)[kBlocksPerWarp]) const {
    ulonglong2 read[2 * kBlocksPerWarp];
#pragma unroll
    for (unsigned i = 0; i < 2 * kBlocksPerWarp; ++i)
      read[i] = load_pair<Aligned>(at + i * (xxh3::kBlock / 2));
#pragma unroll
    for (unsigned i = 0; i < 2 * kBlocksPerWarp; ++i) add(sum[i / 2], i % 2, read[i]);
  }
};

// ---- Segments

/// This warp's part of a segment.
template <bool Aligned>
__device__ void sum_blocks(const xxh3::Byte* data, std::uint64_t blocks, std::uint32_t segment,
                           std::uint64_t* rows) {
  const unsigned thread = threadIdx.x % 32, warp = threadIdx.x / 32;
  const WarpSums sums(thread);
#pragma unroll 1
  for (unsigned round = 0; round < kDigestRounds; ++round) {
    const std::uint64_t first =
        std::uint64_t{segment} * kSegmentBlocks + (round * kDigestWarps + warp) * kBlocksPerWarp;
    if (first >= blocks) return;
    const std::uint64_t left = blocks - first;
    const unsigned count = left < kBlocksPerWarp ? static_cast<unsigned>(left) : kBlocksPerWarp;
    sums.run<Aligned>(data + first * xxh3::kBlock, count, thread,
                      reinterpret_cast<ulonglong2*>(rows + first * xxh3::kStateWords));
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

/// Two stages of rows: one is read from memory while the chain walks the other.
struct ChainStages {
  alignas(16) std::uint64_t row[2][kStageRows][xxh3::kStateWords];
};

/// Starts to copy rows [first, first + kStageRows) into a stage.
__device__ void load_stage(ChainStages& stages, unsigned stage, const std::uint64_t* rows,
                           std::uint32_t first, std::uint32_t links) {
  auto* to = reinterpret_cast<ulonglong2*>(stages.row[stage]);
  const auto* from = reinterpret_cast<const ulonglong2*>(rows) + std::uint64_t{first} * kRowAccesses;
#pragma unroll
  for (unsigned i = threadIdx.x; i < kStageRows * kRowAccesses; i += kThreads) {
    if (first + i / kRowAccesses < links) start_copy<16>(to + i, from + i);
  }
}
/// Row `links` is the tail, which the first warp has.
__device__ void put_tail(ChainStages& stages, unsigned stage, std::uint32_t first, std::uint32_t links,
                         std::uint64_t tail) {
  if (links - first < kStageRows && threadIdx.x < xxh3::kStateWords)
    stages.row[stage][links - first][threadIdx.x] = tail;
}

/// Links for `count` rows of a stage; word `i` of each. Rows are read before the chain comes to them, or each
/// link would wait for shared memory.
__device__ std::uint64_t walk_stage(const std::uint64_t (&rows)[kStageRows][xxh3::kStateWords],
                                    std::uint32_t count, std::uint64_t state, std::uint64_t key, unsigned i) {
  std::uint64_t ahead[kRowsAhead];
#pragma unroll
  for (unsigned k = 0; k < kRowsAhead; ++k) ahead[k] = rows[k][i];
  std::uint32_t done = 0;
#pragma unroll 2
  for (; done + kRowsAhead <= count; done += kRowsAhead) {
    const std::uint32_t next = (done + kRowsAhead) % kStageRows;  // behind the last rows any
#pragma unroll
    for (unsigned k = 0; k < kRowsAhead; ++k) {
      const std::uint64_t row = ahead[k];
      ahead[k] = rows[next + k][i];
      state = xxh3::scrambled(state, key, row);
    }
  }
#pragma unroll
  for (unsigned k = 0; k < kRowsAhead; ++k)
    if (done + k < count) state = xxh3::scrambled(state, key, ahead[k]);
  return state;
}

/// Word `i` of the state behind the last scramble, with the tail's sum: in the first warp. The first stage is
/// on its way.
__device__ std::uint64_t walk_chain(ChainStages& stages, const std::uint64_t* rows, std::uint32_t links,
                                    std::uint64_t first_row, std::uint64_t tail, unsigned i) {
  const std::uint64_t key = xxh3::secret(xxh3::kScrambleSecret + 8 * i);
  std::uint64_t state = xxh3::first_state(i) + (links == 0 ? tail : first_row);
  unsigned stage = 0;
  for (std::uint32_t first = 1; first <= links; first += kStageRows, stage ^= 1) {
    wait_for_copies();
    put_tail(stages, stage, first, links, tail);
    __syncthreads();  // publishes this stage, and frees the other one
    load_stage(stages, stage ^ 1, rows, first + kStageRows, links);
    if (threadIdx.x >= 32) continue;
    const std::uint32_t left = links - first + 1, count = left < kStageRows ? left : kStageRows;
    state = walk_stage(stages.row[stage], count, state, key, i);
  }
  return state;
}

/// By the whole thread block; its first warp has the digest. Threads 8 to 31 do what threads 0 to 7 do.
template <bool Aligned>
__device__ std::uint64_t long_digest(ChainStages& stages, const xxh3::Byte* data, std::uint64_t bytes,
                                     const std::uint64_t* rows) {
  const unsigned thread = threadIdx.x % 32, i = thread % xxh3::kStateWords;
  const auto links = static_cast<std::uint32_t>(xxh3::scrambles_of(bytes));
  load_stage(stages, 0, rows, 1, links);
  const std::uint64_t first_row = links == 0 ? 0 : __ldcg(rows + i);
  const std::uint64_t tail = threadIdx.x < 32 ? WarpSums(thread).tail<Aligned>(data, bytes, thread) : 0;
  const std::uint64_t state = walk_chain(stages, rows, links, first_row, tail, i);
  const std::uint64_t odd = __shfl_down_sync(kAllThreads, state, 1);
  std::uint64_t sum = i % 2 == 0 ? xxh3::merged(state, odd, i / 2) : 0;
  for (unsigned bit = 4; bit > 0; bit /= 2) sum += __shfl_xor_sync(kAllThreads, sum, bit);
  return xxh3::finished(sum, bytes);
}

/// A segment of a chunk above 240 bytes; the digest too, if it is the last one.
template <bool Aligned, bool HasRows>
__device__ void digest_segment(const DigestBatch& batch, const DigestScratch& scratch, std::uint32_t chunk,
                               const ChunkPlace& place, std::uint32_t segment, ChainStages& stages) {
  const auto* data = reinterpret_cast<const xxh3::Byte*>(batch.data) + place.offset;
  std::uint64_t* rows = scratch.rows + first_row(place) * xxh3::kStateWords;
  if constexpr (!HasRows) {
    sum_blocks<Aligned>(data, xxh3::scrambles_of(place.bytes), segment, rows);
    if (!comes_last(scratch.arrived + chunk, segments_of(place.bytes))) return;
  }
  const std::uint64_t digest = long_digest<Aligned>(stages, data, place.bytes, rows);
  if (threadIdx.x == 0) deliver(batch, chunk, digest);
}

template <bool HasRows>
__global__ void __launch_bounds__(kThreads, kResident<HasRows>)
    digest_chunks(DigestBatch batch, DigestScratch scratch, std::uint32_t most_segments) {
  __shared__ ChainStages stages;
  const std::uint32_t chunk = blockIdx.x / most_segments, segment = blockIdx.x % most_segments;
  const ChunkPlace place = batch.chunks[chunk];
  if (const std::uint32_t before = batch.status != nullptr ? batch.status[chunk] : 0; before != 0) {
    if (threadIdx.x == 0) tell(batch, chunk, before);
    return;
  }
  if (!is_within(batch, place)) {
    if (segment == 0 && threadIdx.x == 0) refuse(batch, chunk, DigestStatus::refused);
    return;
  }
  if (!HasRows && segment >= segments_of(place.bytes)) return;
  const auto* data = reinterpret_cast<const xxh3::Byte*>(batch.data) + place.offset;
  if (place.bytes <= xxh3::kLongestShort) {
    if (threadIdx.x == 0) deliver(batch, chunk, xxh3::short_digest(data, place.bytes));
  } else if (reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
    digest_segment<true, HasRows>(batch, scratch, chunk, place, segment, stages);
  } else {
    digest_segment<false, HasRows>(batch, scratch, chunk, place, segment, stages);
  }
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
  if (batch.has_rows)
    return launch_kernel(digest_chunks<true>, dim3(batch.count), kThreads, 0, stream, batch, parts, 1u);
  const cudaError_t cleared =
      cudaMemsetAsync(parts.arrived, 0, std::size_t{batch.count} * sizeof(std::uint32_t), stream);
  if (cleared != cudaSuccess) return cleared;
  return launch_kernel(digest_chunks<false>, dim3(batch.count * segments), kThreads, 0, stream, batch, parts,
                       segments);
}

}  // namespace tdz::cuda
