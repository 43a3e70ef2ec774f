// SPDX-License-Identifier: Apache-2.0
// The functions that launch the scan kernels, and whether a device can run them. They allocate nothing and
// wait for nothing.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/packed/plain_chunk.hpp"
#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// Undoes the fused steps of a pass for a batch, one block for each chunk. Preconditions: order 1..8, a
/// narrow tuple, a plan that fits.
template <class Word>
cudaError_t launch_integrate_stream(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                    const DeviceShape& device, cudaStream_t stream);

/// The same by look-back, for few or long chunks. `space` has look_back_bytes() bytes of device memory
/// (integrate/look_back_space.hpp), aligned to 16; the launch clears them first.
template <class Word>
cudaError_t launch_integrate_look_back(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                       const DeviceShape& device, void* space, cudaStream_t stream);

/// Undoes packed groups, zigzag and difference of all chunks, and verifies everything that the format demands
/// of the four substreams, and the headers that the batch names. A warp takes a stretch of a chunk, so that
/// no warp waits (packed/integrate_groups.cuh). A chunk whose status is not 0 afterwards has values that mean
/// nothing. `space`: GroupSpaceLayout::bytes of device memory, aligned to 16. Preconditions: words of 1, 2, 4
/// or 8 bytes, a tuple of at most kMostGroupTuple, an order of at most 8, and chunks whose groups have this
/// tuple or, without same_lanes, one lane.
template <class Word>
cudaError_t launch_integrate_groups(const GroupBatch& batch, void* space, cudaStream_t stream);

/// Copies plain chunks to the values. No scratch.
cudaError_t launch_copy_plain(const PlainBatch& batch, cudaStream_t stream);

/// Applies the fused steps of a pass to a batch, one or more blocks for each chunk. Preconditions: order
/// 1..8, a narrow tuple.
template <class Word>
cudaError_t launch_difference_stream(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                     const DeviceShape& device, cudaStream_t stream);

/// Applies or undoes [difference] [zigzag] for any tuple, one thread for each column. Preconditions:
/// order 1..8, interleaved.
template <class Word>
cudaError_t launch_columns(const Pass& pass, const ChunkBatch& batch, Direction direction,
                           cudaStream_t stream);

/// Applies or undoes [zigzag] [one layout] for any tuple, one thread for each word; or reverses the bytes of
/// every word. Precondition: order 0, and no other step besides byteswap.
cudaError_t launch_rearrange(const Pass& pass, const ChunkBatch& batch, Direction direction,
                             cudaStream_t stream);

/// Success if this build has code for the current device; cudaErrorNoKernelImageForDevice or
/// cudaErrorInvalidDeviceFunction if not; or the error of a device that does not answer. All kernels are
/// compiled for the same architectures, so one of them decides.
cudaError_t find_code();

/// Turns the run-time word into a type: returns use.template operator()<Word>().
template <class Use>
cudaError_t with_word(unsigned word, const Use& use) {
  cudaError_t result = cudaErrorInvalidValue;
  call_with_word(word, [&]<class Word>() { result = use.template operator()<Word>(); });
  return result;
}

/// Turns the run-time order into a constant: calls use.template operator()<Order>(). The only place that does
/// so.
template <unsigned Order = 1, class Use>
cudaError_t with_order(unsigned order, const Use& use) {
  if constexpr (Order > kMaxOrder) {
    return cudaErrorInvalidValue;
  } else {
    if (order == Order) return use.template operator()<Order>();
    return with_order<Order + 1>(order, use);
  }
}

}  // namespace tdz::cuda
