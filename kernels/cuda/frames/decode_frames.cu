// SPDX-License-Identifier: Apache-2.0
// What is decoded before groups: headers of frames are judged, and raw bits that the border of a zstd block
// cuts in two are joined.
#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 128, kJoinParts = 2;

__device__ void judge(const uniform::ByteCheck& check, const DecodeBuffers& buffers) {
  if (!stand_there(check, buffers.packed))
    atomicOr(buffers.status + check.chunk, static_cast<std::uint32_t>(kWrongHeader));
}

/// The word of 4 bytes that begins at any byte. Reads the two aligned words that hold it.
__device__ std::uint32_t word_at(const std::uint32_t* aligned, unsigned shift) {
  return shift == 0 ? aligned[0] : __funnelshift_r(aligned[0], aligned[1], shift);
}

/// One of kJoinParts blocks copies its share: granules of 16 bytes, aligned where they go. The
/// bytes before and behind them go one by one.
__device__ void join(const uniform::RawJoin& piece, unsigned part, const DecodeBuffers& buffers) {
  const std::byte* from = buffers.packed + piece.from;
  std::byte* to = buffers.joined + piece.to;
  const std::uint64_t odd = (16 - reinterpret_cast<std::uintptr_t>(to) % 16) % 16;
  const std::uint64_t before = odd < piece.bytes ? odd : piece.bytes, granules = (piece.bytes - before) / 16;
  const auto place = reinterpret_cast<std::uintptr_t>(from + before);
  const auto* words = reinterpret_cast<const std::uint32_t*>(place - place % 4);
  const auto shift = static_cast<unsigned>(place % 4 * 8);
#pragma unroll 4
  for (std::uint64_t g = part * kThreads + threadIdx.x; g < granules; g += kJoinParts * kThreads) {
    const std::uint32_t* own = words + 4 * g;
    reinterpret_cast<uint4*>(to + before)[g] = make_uint4(word_at(own, shift), word_at(own + 1, shift),
                                                          word_at(own + 2, shift), word_at(own + 3, shift));
  }
  const std::uint64_t behind = before + 16 * granules;
  if (part == 0 && threadIdx.x < before) to[threadIdx.x] = from[threadIdx.x];
  if (part == 0 && behind + threadIdx.x < piece.bytes) to[behind + threadIdx.x] = from[behind + threadIdx.x];
}

/// kJoinParts blocks for each join, then one block for every kThreads checks.
__global__ void __launch_bounds__(kThreads) prepare_frames(DeviceTables tables, DecodeBuffers buffers) {
  const std::uint32_t joining = tables.join_count * kJoinParts;
  if (blockIdx.x < joining)
    return join(tables.joins[blockIdx.x / kJoinParts], blockIdx.x % kJoinParts, buffers);
  const std::uint32_t check = (blockIdx.x - joining) * kThreads + threadIdx.x;
  if (check < tables.check_count) judge(tables.checks[check], buffers);
}

}  // namespace

cudaError_t launch_decode_frames(const DeviceTables& tables, const DecodeBuffers& buffers,
                                 cudaStream_t stream) {
  const std::uint32_t blocks =
      tables.join_count * kJoinParts + (tables.check_count + kThreads - 1) / kThreads;
  cudaError_t result = cudaSuccess;
  if (blocks != 0) result = launch_kernel(prepare_frames, dim3(blocks), kThreads, 0, stream, tables, buffers);
  for (unsigned kind = 0; kind < 4 && result == cudaSuccess; ++kind) {
    if (tables.group_count[kind] == 0) continue;
    const GroupTables groups{tables.blocks,
                             tables.lanes,
                             tables.groups[kind],
                             tables.group_count[kind],
                             tables.code_limit[kind],
                             0,
                             tables.team[kind] < 2 ? 1u : tables.team[kind]};
    result =
        with_word(1u << kind, [&]<class Word>() { return launch_groups<Word>(groups, buffers, stream); });
  }
  return result;
}

}  // namespace tdz::cuda
