// SPDX-License-Identifier: Apache-2.0
// The job of one launch: the same steps over a batch of chunks. Plain values, for host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/passes.hpp"
#include "kernels/scan_algebra.hpp"

namespace tdz::cuda {

/// One chunk. Both pointers are device pointers, aligned to 16 bytes.
struct ChunkTask {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::uint64_t bytes = 0;
};

/// Chunks of one batch, one every `stride` bytes (a multiple of 16 if there are several) of two buffers that
/// do not overlap. All are `chunk_bytes` long, except the last one, which ends with the batch; or each has
/// its own length.
struct ChunkBatch {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::uint64_t bytes = 0;        ///< from the first chunk's start to the last one's end
  std::uint64_t chunk_bytes = 0;  ///< of the longest chunk
  std::uint64_t stride = 0;
  std::uint32_t chunks = 0;
  const std::uint64_t* lengths = nullptr;  ///< on the device, or null

  TDZ_HOST_DEVICE constexpr ChunkTask operator[](std::uint32_t chunk) const {
    const std::uint64_t begin = chunk * stride, rest = bytes - begin;
    const std::uint64_t length = lengths != nullptr   ? lengths[chunk]
                                 : rest < chunk_bytes ? rest
                                                      : chunk_bytes;
    return {in + begin, out + begin, length};
  }

  /// `count` chunks from `first` on.
  constexpr ChunkBatch from(std::uint32_t first, std::uint32_t count) const {
    const std::uint64_t skip = first * stride;
    const std::uint64_t* own_lengths = lengths != nullptr ? lengths + first : nullptr;
    return {in + skip, out + skip, bytes - skip, chunk_bytes, stride, count, own_lengths};
  }
  /// The same chunks between other buffers.
  constexpr ChunkBatch between(const std::byte* other_in, std::byte* other_out) const {
    return {other_in, other_out, bytes, chunk_bytes, stride, chunks, lengths};
  }
};

/// How many chunks of `chunk_bytes` (above 0) so many bytes make. The sum of both may exceed 64 bits.
constexpr std::uint64_t chunk_count(std::uint64_t bytes, std::uint64_t chunk_bytes) {
  return bytes == 0 ? 0 : (bytes - 1) / chunk_bytes + 1;
}
inline constexpr std::uint64_t kMostChunks = (std::uint64_t{1} << 31) - 1;  ///< blocks of a grid

/// One buffer as a batch of chunks of `chunk_bytes`, the last one shorter. Precondition: at most kMostChunks.
constexpr ChunkBatch cut(const ChunkTask& whole, std::uint64_t chunk_bytes) {
  const std::uint64_t longest = whole.bytes < chunk_bytes ? whole.bytes : chunk_bytes;
  const auto chunks = static_cast<std::uint32_t>(chunk_count(whole.bytes, chunk_bytes));
  return {whole.in, whole.out, whole.bytes, longest, chunk_bytes, chunks, nullptr};
}

/// Sums are computed in registers of 32 or 64 bits: sums mod 2^32 keep what mod 2^8 and mod 2^16 need.
template <class Word>
struct SumOf {
  using type = std::uint32_t;
};
template <>
struct SumOf<std::uint64_t> {
  using type = std::uint64_t;
};
template <class Word>
using Sum = typename SumOf<Word>::type;
TDZ_HOST_DEVICE constexpr std::uint32_t sum_bytes(unsigned word) {
  return word == 8 ? 8 : 4;
}

}  // namespace tdz::cuda
