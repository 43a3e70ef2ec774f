// SPDX-License-Identifier: Apache-2.0
// Copies the content of raw frames to the values, and sums the blocks of the digest while it has them. A warp
// takes a part of kPlainPart bytes. It reads whole lines of 16 bytes, so up to 15 bytes around the content.
#pragma once

#include "kernels/cuda/digest/block_sums.cuh"
#include "kernels/cuda/packed/plain_chunk.hpp"

namespace tdz::cuda {

/// 16 bytes at any address: from the one or two lines that hold them.
__device__ inline uint4 load_unaligned(const std::byte* from) {
  const auto odd = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(from) % sizeof(uint4));
  const auto* lines = reinterpret_cast<const uint4*>(from - odd);
  const uint4 a = lines[0];
  if (odd == 0) return a;
  const uint4 b = lines[1];
  const unsigned skipped = odd / 4, shift = odd % 4 * 8;
  const auto first = [&](unsigned w0, unsigned w1, unsigned w2, unsigned w3) {
    const unsigned lower = skipped % 2 == 0 ? w0 : w1, upper = skipped % 2 == 0 ? w2 : w3;
    return skipped < 2 ? lower : upper;
  };
  const unsigned w0 = first(a.x, a.y, a.z, a.w), w1 = first(a.y, a.z, a.w, b.x),
                 w2 = first(a.z, a.w, b.x, b.y), w3 = first(a.w, b.x, b.y, b.z),
                 w4 = first(b.x, b.y, b.z, b.w);
  return make_uint4(__funnelshift_r(w0, w1, shift), __funnelshift_r(w1, w2, shift),
                    __funnelshift_r(w2, w3, shift), __funnelshift_r(w3, w4, shift));
}

/// One warp's work.
class PlainPart {
 public:
  __device__ PlainPart(const PlainBatch& batch, const PlainChunk& chunk, std::uint32_t part)
      : chunk_(chunk),
        packed_(batch.packed + chunk.packed),
        to_(batch.values + chunk.values),
        thread_(threadIdx.x % 32),
        begin_(part * kPlainPart) {
    const std::uint32_t left = chunk.bytes() - begin_, bytes = left < kPlainPart ? left : kPlainPart;
    side_by_side_ = chunk.frames.is_one_piece(begin_, bytes);
    if (side_by_side_) from_ = packed_ + chunk.frames.at(begin_);
    aligned_ = reinterpret_cast<std::uintptr_t>(to_) % sizeof(uint4) == 0;
  }

  /// `rows`: where the rows of the chunk begin, or null.
  __device__ void copy(std::uint64_t* rows) const {
    const BlockSums sums(thread_);
    xxh3::Pair sum[kBlocksPerWarp];
#pragma unroll
    for (unsigned b = 0; b < kBlocksPerWarp; b += kTogether) {
      uint4 line[2 * kTogether];
#pragma unroll
      for (unsigned i = 0; i < 2 * kTogether; ++i) line[i] = load(2 * b + i);
#pragma unroll
      for (unsigned i = 0; i < 2 * kTogether; ++i) {
        store(2 * b + i, line[i]);
        if (rows != nullptr)
          sums.add(sum[b + i / 2], i % 2, joined(line[i].x, line[i].y), joined(line[i].z, line[i].w));
      }
    }
    if (rows == nullptr) return;
    BlockSums::gather(sum, thread_);
    const std::uint64_t block = begin_ / xxh3::kBlock + thread_ / 4;
    if (block >= xxh3::scrambles_of(chunk_.bytes())) return;
    std::uint64_t* row = rows + block * xxh3::kStateWords + 2 * (thread_ % 4);
    row[0] = sum[0].even, row[1] = sum[0].odd;
  }

 private:
  static constexpr unsigned kTogether = 2;  ///< blocks that are read before the first one is stored

  __device__ static std::uint64_t joined(unsigned low, unsigned high) {
    return std::uint64_t{high} << 32 | low;
  }
  /// The byte of the chunk where line `i` of this thread begins.
  __device__ std::uint32_t place(unsigned i) const {
    return begin_ + i * 32 * kLine + kLine * thread_;
  }
  __device__ std::uint32_t left(std::uint32_t at) const {
    const std::uint32_t bytes = chunk_.bytes();
    if (at >= bytes) return 0;
    return bytes - at < kLine ? bytes - at : kLine;
  }

  __device__ uint4 load(unsigned i) const {
    const std::uint32_t at = place(i), bytes = left(at);
    if (side_by_side_ && bytes == kLine) return load_unaligned(from_ + (at - begin_));
    if (bytes == kLine && chunk_.frames.side_by_side(at) >= kLine)
      return load_unaligned(packed_ + chunk_.frames.at(at));
    unsigned word[4] = {};
#pragma unroll
    for (unsigned b = 0; b < kLine; ++b)
      if (b < bytes) word[b / 4] |= static_cast<unsigned>(packed_[chunk_.frames.at(at + b)]) << (8 * (b % 4));
    return make_uint4(word[0], word[1], word[2], word[3]);
  }

  __device__ void store(unsigned i, const uint4& line) const {
    const std::uint32_t at = place(i), bytes = left(at);
    if (aligned_ && bytes == kLine) {
      *reinterpret_cast<uint4*>(to_ + at) = line;
      return;
    }
    const unsigned word[4] = {line.x, line.y, line.z, line.w};
#pragma unroll
    for (unsigned b = 0; b < kLine; ++b)
      if (b < bytes) to_[at + b] = static_cast<std::byte>(word[b / 4] >> (8 * (b % 4)) & 0xFF);
  }

  static constexpr std::uint32_t kLine = sizeof(uint4);

  const PlainChunk& chunk_;
  const std::byte* packed_;
  std::byte* to_;
  const std::byte* from_ = nullptr;  ///< of the part, if no header cuts it
  unsigned thread_;
  std::uint32_t begin_;
  bool side_by_side_ = false, aligned_ = false;
};

/// Thread blocks of a multiprocessor: what 64 registers allow.
inline constexpr unsigned kPlainResident = 8;

/// `blocks` thread blocks take a chunk.
__global__ void __launch_bounds__(32 * kPlainWarps, kPlainResident)
    copy_plain(PlainBatch batch, std::uint32_t blocks) {
  const PlainChunk chunk = batch.chunks[blockIdx.x / blocks];
  const std::uint32_t part = blockIdx.x % blocks * kPlainWarps + threadIdx.x / 32;
  if (batch.status[chunk.chunk] != 0 || part >= plain_parts(chunk.bytes())) return;
  std::uint64_t* rows = batch.digest_rows;
  if (rows != nullptr)
    rows += first_row({chunk.values - batch.digest_origin, chunk.bytes()}) * xxh3::kStateWords;
  PlainPart(batch, chunk, part).copy(rows);
}

}  // namespace tdz::cuda
