// SPDX-License-Identifier: Apache-2.0
// Undoes a difference of order 1 over rows of a KiB or more, from the first byte of a chunk to its last, by
// one thread block. The last row stands in a ring in shared memory, where each word finds the one above it. A
// warp makes whole blocks of XXH3, so it leaves their sums too, and the values are not read again for the
// digest. undo_rows.cuh has what this kernel does not take: it spreads a chunk over many blocks.
#pragma once

#include "kernels/cuda/digest/block_sums.cuh"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/undo_rows.cuh"

namespace tdz::cuda {

template <unsigned Width>
class RowsInOrder {
 public:
  static constexpr unsigned kAhead = 4;  ///< steps whose words are on their way

  __device__ RowsInOrder(const RowsBatch& batch, const StepChunk& chunk, std::byte* ring)
      : batch_(batch),
        order_{batch.tuple * Width},
        in_(reinterpret_cast<const Byte*>(chunk.in)),
        out_(reinterpret_cast<Byte*>(chunk.out)),
        ring_(ring),
        bytes_(chunk.words * Width),
        thread_(threadIdx.x % 32),
        own_(threadIdx.x / 32 * static_cast<std::uint32_t>(xxh3::kBlock) + 16 * thread_) {}

  __device__ void run() {
    uint4 line[kAhead][2];
#pragma unroll
    for (unsigned s = 0; s < kAhead; ++s) load(line[s], s * order_.step());
    clear();
    __syncthreads();  // publishes the zeros above the first row
    std::uint32_t place = own_;
    for (std::uint32_t first = 0; first < bytes_; first += kAhead * order_.step()) {
#pragma unroll
      for (unsigned s = 0; s < kAhead; ++s) {
        const std::uint32_t step = first + s * order_.step();
        if (step >= bytes_) return;
        add_above(line[s], step, place);
        load(line[s], step + kAhead * order_.step());
        __syncthreads();  // publishes this step; all have read the row above it
        place = wrapped(place + order_.step());
      }
    }
  }

 private:
  static constexpr std::uint32_t kHalf = xxh3::kBlock / 2;

  /// This thread's two lines of a step.
  __device__ void load(uint4 (&line)[2], std::uint32_t step) const {
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) line[h] = load(step + own_ + h * kHalf);
  }
  __device__ void add_above(const uint4 (&line)[2], std::uint32_t step, std::uint32_t place) const {
    uint4 made[2];
#pragma unroll
    for (unsigned h = 0; h < 2; ++h) {
      const std::uint32_t at = wrapped(place + h * kHalf);
      made[h] = sum(line[h], above(at));
      *reinterpret_cast<uint4*>(ring_ + at) = made[h];
      store(step + own_ + h * kHalf, made[h]);
    }
    leave_sums(step + own_ - 16 * thread_, made[0], made[1]);
  }

  __device__ std::uint32_t wrapped(std::uint32_t place) const {
    return place < order_.ring() ? place : place - order_.ring();
  }

  __device__ void clear() const {
    for (std::uint32_t at = 16 * threadIdx.x; at < order_.ring(); at += 16 * blockDim.x)
      *reinterpret_cast<uint4*>(ring_ + at) = {0, 0, 0, 0};
  }

  /// The 16 bytes above those at this place of the ring.
  __device__ uint4 above(std::uint32_t place) const {
    std::uint32_t at = wrapped(place + order_.ring() - order_.row);
    if (at % 16 == 0) return *reinterpret_cast<const uint4*>(ring_ + at);
    const std::uint32_t bits = at % 4 * 8;
    std::uint32_t word[5];
    at -= at % 4;
#pragma unroll
    for (std::uint32_t& each : word) {
      each = *reinterpret_cast<const std::uint32_t*>(ring_ + at);
      at = wrapped(at + 4);
    }
    return {__funnelshift_r(word[0], word[1], bits), __funnelshift_r(word[1], word[2], bits),
            __funnelshift_r(word[2], word[3], bits), __funnelshift_r(word[3], word[4], bits)};
  }

  __device__ static uint4 sum(const uint4& a, const uint4& b) {
    if constexpr (Width == 8) {
      const auto wide = [](std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; };
      const std::uint64_t first = wide(a.x, a.y) + wide(b.x, b.y), second = wide(a.z, a.w) + wide(b.z, b.w);
      return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first >> 32),
              static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(second >> 32)};
    } else if constexpr (Width == 4) {
      return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
    } else {
      using Words = SharedWords<Width>;
      return {Words::sum(a.x, b.x), Words::sum(a.y, b.y), Words::sum(a.z, b.z), Words::sum(a.w, b.w)};
    }
  }

  // ---- Memory. Behind the end of the chunk bytes are zero, and none are written.

  __device__ uint4 load(std::uint32_t at) const {
    if (at >= bytes_) return {0, 0, 0, 0};
    const Byte* from = in_ + at;
    if (bytes_ - at >= 16 && reinterpret_cast<std::uintptr_t>(from) % 16 == 0)
      return *reinterpret_cast<const uint4*>(from);
    std::uint32_t part[4] = {};
    const std::uint32_t count = bytes_ - at < 16 ? bytes_ - at : 16;
#pragma unroll
    for (std::uint32_t b = 0; b < 16; ++b)
      if (b < count) part[b / 4] |= std::uint32_t{from[b]} << 8 * (b % 4);
    return {part[0], part[1], part[2], part[3]};
  }
  __device__ void store(std::uint32_t at, const uint4& line) const {
    if (at >= bytes_) return;
    Byte* to = out_ + at;
    if (bytes_ - at >= 16 && reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
      *reinterpret_cast<uint4*>(to) = line;
      return;
    }
    const std::uint32_t part[4] = {line.x, line.y, line.z, line.w};
    const std::uint32_t count = bytes_ - at < 16 ? bytes_ - at : 16;
#pragma unroll
    for (std::uint32_t b = 0; b < 16; ++b)
      if (b < count) to[b] = static_cast<Byte>(part[b / 4] >> 8 * (b % 4));
  }

  /// Of the block of XXH3 that begins here. By the whole warp.
  __device__ void leave_sums(std::uint32_t at, const uint4& low, const uint4& high) const {
    if (batch_.digest_rows == nullptr) return;
    const std::uint32_t block = at / static_cast<std::uint32_t>(xxh3::kBlock);
    std::uint64_t* row = nullptr;
    if (block < xxh3::scrambles_of(bytes_)) {
      const auto offset =
          static_cast<std::uint64_t>(out_ - reinterpret_cast<const Byte*>(batch_.digest_data));
      row = batch_.digest_rows + (first_row({offset, bytes_}) + block) * xxh3::kStateWords;
    }
    leave_row(row, low, high, thread_);
  }

  const RowsBatch& batch_;
  const RowOrder order_;
  const Byte* in_;
  Byte* out_;
  std::byte* ring_;
  const std::uint32_t bytes_;
  const unsigned thread_;
  const std::uint32_t own_;  ///< this thread's first line in a step
};

__device__ inline std::byte* ring_memory() {
#ifdef __CUDACC__
  extern __shared__ __align__(16) std::byte ring_shared[];
  return ring_shared;
#else
  return reinterpret_cast<std::byte*>(simulated::dynamic_shared);
#endif
}

/// A thread block of RowOrder::warps() takes a chunk; its shared memory has RowOrder::ring() bytes.
template <unsigned Width>
__global__ void __launch_bounds__(32 * RowOrder::kMostWarps, 8)
    undo_rows_in_order(const __grid_constant__ RowsBatch batch) {
  const StepChunk chunk = batch.steps.chunks[blockIdx.x];
  std::uint32_t& status = batch.steps.status[chunk.status_index];
  if (status != 0) return;
  if (chunk.words > batch.steps.most_words) {
    if (threadIdx.x == 0) status = static_cast<std::uint32_t>(StepStatus::too_long);
    return;
  }
  RowsInOrder<Width>(batch, chunk, ring_memory()).run();
}

}  // namespace tdz::cuda
