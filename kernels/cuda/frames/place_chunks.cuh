// SPDX-License-Identifier: Apache-2.0
// Where the chunks of a batch begin in the output: sums of the lengths that kernels before left as room and
// bytes.
#pragma once

#include "kernels/cuda/frames/encode.hpp"
#include "kernels/cuda/frames/warp_team.cuh"

namespace tdz::cuda::frames {

inline constexpr unsigned kPlaceThreads = 1024;

/// One block. Of each source file its own, as several launch it.
static __global__ void __launch_bounds__(kPlaceThreads)
    place_chunks(FramesPlace* chunks, std::uint32_t count) {
  __shared__ std::uint64_t of_warp[32];
  __shared__ std::uint64_t before;
  const unsigned warp = threadIdx.x / 32, thread = warp_thread();
  if (threadIdx.x == 0) before = 0;
  for (std::uint32_t begin = 0; begin < count; begin += kPlaceThreads) {
    const std::uint32_t i = begin + threadIdx.x;
    const bool here = i < count;
    const std::uint64_t room = here ? chunks[i].offset : 0;
    const std::uint64_t bytes = here ? chunks[i].bytes : 0;
    const std::uint64_t own = room != 0 ? room + bytes : (bytes + 15) / 16 * 16;
    const std::uint64_t up_to = inclusive_sum(own);
    if (thread == 31) of_warp[warp] = up_to;
    __syncthreads();  // publishes of_warp and before
    std::uint64_t at = before + up_to - own, all = before;
    for (unsigned w = 0; w < 32; ++w) {
      if (w < warp) at += of_warp[w];
      all += of_warp[w];
    }
    if (here) chunks[i].offset = at + room;
    __syncthreads();  // frees of_warp and before
    if (threadIdx.x == 0) before = all;
  }
}

}  // namespace tdz::cuda::frames
