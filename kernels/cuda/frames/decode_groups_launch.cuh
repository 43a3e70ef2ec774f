// SPDX-License-Identifier: Apache-2.0
// The launcher of the groups of one word; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/frames/decode_groups.cuh"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

/// Warps of a block work together only in teams. Without teams, more than one warp saves blocks; fewer warps
/// leave less shared memory unused. H200, 2026-11.
template <class Word>
inline constexpr unsigned kGroupWarps = sizeof(Word) == 8 ? 1 : 2;

template <class Word, CodeLimit kLimit>
cudaError_t launch_groups_with(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream) {
  GroupTables sized = tables;
  sized.table_bytes = static_cast<std::uint32_t>(sizeof(typename EntryFor<Word, kLimit>::Word))
                      << tables.code_limit;
  const std::uint32_t warp_bytes =
      (WarpSpace<Word>::kFixed + sized.table_bytes + kMostRing - 1) / kMostRing * kMostRing;
  const std::uint32_t warps = tables.team > 1 ? tables.team : kGroupWarps<Word>;
  const std::uint32_t blocks = (tables.count + warps - 1) / warps;
  const auto kernel =
      tables.team > 1 ? decode_groups<Word, kLimit, true> : decode_groups<Word, kLimit, false>;
  return launch_shared(kernel, blocks, warps * kWarpThreads, warps * warp_bytes, stream, sized, buffers,
                       warp_bytes);
}

template <class Word>
cudaError_t launch_groups(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream) {
  if (tables.code_limit <= 8)
    return launch_groups_with<Word, CodeLimit::short_codes>(tables, buffers, stream);
  return launch_groups_with<Word, CodeLimit::any>(tables, buffers, stream);
}

}  // namespace tdz::cuda
