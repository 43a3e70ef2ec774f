// SPDX-License-Identifier: Apache-2.0
// What is decoded before groups: headers of frames are judged, and raw bits that the border of a zstd block
// cuts in two are joined.
#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/cuda/frames/group_tables.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 128, kJoinParts = 8;

__device__ void judge(const uniform::ByteCheck& check, const DecodeBuffers& buffers) {
  bool right = true;
  for (unsigned i = 0; i < check.count; ++i)
    right = right && static_cast<std::uint8_t>(buffers.packed[check.at + i]) == check.bytes[i];
  if (!right) atomicOr(buffers.status + check.chunk, static_cast<std::uint32_t>(kWrongHeader));
}

/// One of kJoinParts blocks copies its share.
__device__ void join(const uniform::RawJoin& piece, unsigned part, const DecodeBuffers& buffers) {
#pragma unroll 8
  for (std::uint64_t i = part * kThreads + threadIdx.x; i < piece.bytes; i += kJoinParts * kThreads)
    buffers.joined[piece.to + i] = buffers.packed[piece.from + i];
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
    const GroupTables groups{tables.blocks, tables.lanes, tables.groups[kind], tables.group_count[kind],
                             tables.code_limit[kind], 0, tables.team[kind] < 2 ? 1u : tables.team[kind]};
    result =
        with_word(1u << kind, [&]<class Word>() { return launch_groups<Word>(groups, buffers, stream); });
  }
  return result;
}

}  // namespace tdz::cuda
