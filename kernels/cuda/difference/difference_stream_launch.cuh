// SPDX-License-Identifier: Apache-2.0
// The launcher of the difference kernel; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/difference/difference_stream.cuh"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

/// Enough spans to fill the device about four times. No span is so short that its start costs much.
inline SpanCut cut_spans(std::uint32_t tiles, std::uint32_t chunks, unsigned resident) {
  constexpr std::uint32_t kShortest = 16;
  const std::uint32_t wanted = (4 * resident + chunks - 1) / chunks;
  const std::uint32_t most = tiles / kShortest + 1;
  const std::uint32_t spans = smaller(wanted, most);
  return {spans, (tiles + spans - 1) / spans};
}

template <class Word, unsigned Order, unsigned Rows, TileKind Kind>
cudaError_t launch_difference_rows(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                   const DeviceShape& device, cudaStream_t stream) {
  const TilePlan plan = fitted_plan(pass, {Rows, tuning.warps, tuning.stages}, Direction::difference, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  const auto kernel = difference_stream<Word, Order, Rows, Kind>;
  unsigned resident = 0;
  const cudaError_t counted = count_resident(kernel, plan.shape.threads(), plan.shared_bytes(), resident);
  if (counted != cudaSuccess) return counted;
  const SpanCut cut =
      cut_spans(tiles_of(batch.chunk_bytes / sizeof(Word), plan.shape), batch.chunks, resident);
  return launch_shared(kernel, batch.chunks * cut.spans, plan.shape.threads(), plan.shared_bytes(), stream,
                       plan, batch, cut);
}

template <class Word>
cudaError_t launch_difference_stream(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                     const DeviceShape& device, cudaStream_t stream) {
  if (batch.chunks == 0) return cudaSuccess;
  return with_order(pass.order, [&]<unsigned Order>() {
    constexpr unsigned kSingle = stream_rows(sizeof(Word), Order, true);
    constexpr unsigned kSeveral = stream_rows(sizeof(Word), Order, false);
    const auto launch = [&]<unsigned Rows, TileKind Kind>() {
      return launch_difference_rows<Word, Order, Rows, Kind>(pass, batch, tuning, device, stream);
    };
    if constexpr (kSingle == kSeveral) {
      return launch.template operator()<kSingle, TileKind::any>();
    } else {
      constexpr TileKind kOne =
          leaves_out_other_kind(sizeof(Word), Order) ? TileKind::one_lane : TileKind::any;
      constexpr TileKind kOther =
          difference_leaves_out_single_lane(sizeof(Word), Order) ? TileKind::several_lanes : TileKind::any;
      return pass.tuple == 1 ? launch.template operator()<kSingle, kOne>()
                             : launch.template operator()<kSeveral, kOther>();
    }
  });
}

}  // namespace tdz::cuda
