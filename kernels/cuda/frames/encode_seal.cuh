// SPDX-License-Identifier: Apache-2.0
// Headers and checksums of frames of raw blocks. A checksum is XXH64 (github.com/Cyan4973/xxHash,
// doc/xxhash_spec.md): four sums, each over every fourth 8 bytes, one multiplication after another. So four
// threads of a warp add up, and the time of a frame is theirs. All threads do whatever else can be done
// before: they fetch the tile after the next one, and multiply each 8 bytes by the prime that a sum takes
// them with.
#pragma once

#include "kernels/cuda/frames/encode_emit.cuh"
#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/tile/async_copy.cuh"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda::frames {

// ---- XXH64

inline constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                               kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                               kPrime5 = 0x27D4EB2F165667C5;

__device__ inline std::uint64_t rotated(std::uint64_t x, unsigned bits) {
  return x << bits | x >> (64 - bits);
}
__device__ inline std::uint64_t xxh_round(std::uint64_t sum, std::uint64_t word) {
  return rotated(sum + word * kPrime2, 31) * kPrime1;
}

inline constexpr unsigned kSealTile = 2048;  // bytes; a raw block is a multiple
inline constexpr unsigned kSealWords = kSealTile / 4 + 1;

/// What a warp keeps in shared memory.
struct SealSpace {
  std::uint32_t tiles[2][kSealWords + 1];
  std::uint64_t products[kSealTile / 8];
};

/// A tile's bytes, in words from the aligned one on in which the first byte stands.
struct SealBytes {
  const std::uint32_t* words;
  unsigned skip;  ///< bytes

  __device__ std::uint32_t four(unsigned byte) const {
    const unsigned at = skip + byte;
    return __funnelshift_r(words[at / 4], words[at / 4 + 1], at % 4 * 8);
  }
  __device__ std::uint64_t eight(unsigned byte) const {
    return std::uint64_t{four(byte + 4)} << 32 | four(byte);
  }
  __device__ std::uint8_t one(unsigned byte) const {
    const unsigned at = skip + byte;
    return static_cast<std::uint8_t>(words[at / 4] >> (at % 4 * 8));
  }
};

__device__ inline unsigned bytes_past_word(const std::byte* at) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(at) % 4);
}

/// Starts to copy a tile. Words that hold none of the `bytes` are not read.
__device__ inline void fetch_tile(const std::byte* from, std::uint32_t bytes, std::uint32_t* to) {
  const unsigned skip = bytes_past_word(from);
  const auto* words = reinterpret_cast<const std::uint32_t*>(from - skip);
  for (unsigned i = warp_thread(); 4 * i < skip + bytes; i += 32) start_copy<4>(to + i, words + i);
}

__device__ inline std::uint64_t merged(std::uint64_t sum) {
  // Lane i has the i-th sum of four.
  std::uint64_t hash = 0;
  constexpr unsigned kTurns[] = {1, 7, 12, 18};
  for (unsigned i = 0; i < 4; ++i) hash += rotated(__shfl_sync(kAll, sum, i), kTurns[i]);
  for (unsigned i = 0; i < 4; ++i)
    hash = (hash ^ xxh_round(0, __shfl_sync(kAll, sum, i))) * kPrime1 + kPrime4;
  return hash;
}

/// What is left behind whole stripes of 32 bytes.
__device__ inline std::uint64_t finished(std::uint64_t hash, const SealBytes& bytes, unsigned at,
                                         unsigned end) {
  for (; at + 8 <= end; at += 8) hash = rotated(hash ^ xxh_round(0, bytes.eight(at)), 27) * kPrime1 + kPrime4;
  if (at + 4 <= end) {
    hash = rotated(hash ^ std::uint64_t{bytes.four(at)} * kPrime1, 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < end; ++at) hash = rotated(hash ^ bytes.one(at) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

/// The checksum of a frame's content. `first`: where its first raw block's content begins.
__device__ inline std::uint32_t checksum_of(const std::byte* first, std::uint32_t content, SealSpace& space) {
  const unsigned thread = warp_thread();
  std::uint64_t sum = thread == 0 ? kPrime1 + kPrime2 : thread == 1 ? kPrime2 : thread == 2 ? 0 : 0 - kPrime1;
  const auto from = [&](std::uint32_t at) {
    return first + at + at / uniform::kRawBlock * uniform::kBlockHeader;
  };
  const auto bytes_of = [&](std::uint32_t at) { return min(content - at, kSealTile); };
  fetch_tile(from(0), bytes_of(0), space.tiles[0]);
  SealBytes bytes{};
  std::uint32_t left = 0;
  for (std::uint32_t at = 0; at < content; at += kSealTile) {
    left = bytes_of(at);
    bytes = {space.tiles[at / kSealTile % 2], bytes_past_word(from(at))};
    wait_for_copies();
    __syncwarp();  // publishes the tile, and frees the other one
    const std::uint32_t then = at + kSealTile;
    if (then < content) fetch_tile(from(then), bytes_of(then), space.tiles[then / kSealTile % 2]);
    const unsigned stripes = left / 32;
    for (unsigned i = thread; i < 4 * stripes; i += 32) space.products[i] = bytes.eight(8 * i) * kPrime2;
    __syncwarp();  // publishes the products
    if (thread < 4) {
#pragma unroll 16
      for (unsigned i = thread; i < 4 * stripes; i += 4) sum = rotated(sum + space.products[i], 31) * kPrime1;
    }
    __syncwarp();  // frees them
  }
  const std::uint64_t hash = content >= 32 ? merged(sum) : kPrime5;
  return static_cast<std::uint32_t>(finished(hash + content, bytes, left / 32 * 32, left));
}

inline constexpr unsigned kSealWarps = 2;

__global__ void __launch_bounds__(32 * kSealWarps) seal(EncodeBuffers buffers, EncodeSpace space) {
  __shared__ SealSpace spaces[kSealWarps];
  const std::uint32_t number = blockIdx.x * kSealWarps + threadIdx.x / 32;
  if (number >= buffers.tables.raw_frame_count) return;
  const EncodeRawFrame& raw = buffers.tables.raw_frames[number];
  const EncodeColumn& column = buffers.tables.columns[raw.column];
  const uniform::RawLayout layout{buffers.results.raw_bytes[raw.column], column.segment};
  if (raw.number >= layout.frames()) return;
  std::byte* to = buffers.out + buffers.results.chunks[column.chunk].offset + space.raw_offsets[raw.column] +
                  layout.frame_at(raw.number);
  const std::uint32_t content = layout.content(raw.number);
  put_frame_header(to, content, true);
  to += uniform::FrameHeader::length_of(content);
  const std::uint32_t hash = checksum_of(to + uniform::kBlockHeader, content, spaces[threadIdx.x / 32]);
  std::uint32_t end = 0;
  uniform::for_each_raw_block(content, [&](std::uint32_t at, std::uint32_t says, std::uint32_t length) {
    put_number(to + at, says, uniform::kBlockHeader);
    end = at + uniform::kBlockHeader + length;
  });
  put_number(to + end, hash, 4);
}

}  // namespace tdz::cuda::frames
