// SPDX-License-Identifier: Apache-2.0
// Undoes the steps of a column of many chunks, in device memory. FORMAT.md, section 3.
#pragma once

#include <cuda_runtime_api.h>

#include "formats/plan/plan.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/step_batch.hpp"
#include "kernels/cuda/steps/word_maps.hpp"

namespace tdz::cuda {

/// Steps that look at one word alone; and moving a column into or out of rows.
cudaError_t launch_map_words(const StepBatch& batch, WordMap map, cudaStream_t stream);

/// The step `lanes`, and differences that start anew in every run. `rules` has one entry for each lane of the
/// tuple, on the device; or it is null, and `same` holds for all lanes (then the tuple may have any size).
struct LanesBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;
  std::uint32_t run = 0;    ///< words of a lane; 0: the whole lane is one run, which few threads walk
  std::uint8_t depths = 1;  ///< of the rules: 1 + the largest depth
  const DeviceLaneRule* rules = nullptr;
  DeviceLaneRule same;
};

/// Words as the forward step left them become the words before it. No scratch. Input and output are the same
/// memory, or do not overlap.
cudaError_t launch_undo_lanes(const LanesBatch& batch, cudaStream_t stream);

/// A difference without runs of a wide tuple; before it the sources of lanes are added. No scratch. Without
/// sources input and output may be the same memory.
cudaError_t launch_undo_rows(const RowsBatch& batch, cudaStream_t stream);

/// Words of many lanes, one lane behind the other, come together. No scratch.
cudaError_t launch_gather_lanes(const GatherBatch& batch, cudaStream_t stream);

/// A substream of a chunk, as the format has it: nothing in it has been checked.
struct DeviceBytes {
  const std::byte* at = nullptr;
  std::uint32_t bytes = 0;
};
TDZ_HOST_DEVICE inline const Byte* bytes_at(const DeviceBytes& bytes) {
  return reinterpret_cast<const Byte*>(bytes.at);
}

/// The step `predict`. sides[i] belongs to steps.chunks[i].
struct PredictBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;
  Sign sign = Sign::is_unsigned;
  const DeviceBytes* sides = nullptr;
};

/// Pure.
std::size_t undo_predict_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, std::uint32_t tuple);

/// Residuals become words. A thread walks a block of 4096 words. `scratch` is aligned to 4.
cudaError_t launch_undo_predict(const PredictBatch& batch, void* scratch, cudaStream_t stream);

/// The four substreams of the step `scale`.
struct ScaleSubstreams {
  DeviceBytes pairs, selectors, bitmap, hole_words;
};

/// sides[i] belongs to steps.chunks[i].
struct ScaleBatch {
  StepBatch steps;
  ScaleShape shape;  ///< its word is steps.width
  const ScaleSubstreams* sides = nullptr;
};

/// Pure. `holes`: some chunk of the batch has a bitmap.
std::size_t undo_scale_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, bool holes);

/// Words of q become numbers, and holes their words. Everything that the format calls corrupt sets the
/// chunk's status. `scratch` is aligned to 4; it may be null if there are no holes.
cudaError_t launch_undo_scale(const ScaleBatch& batch, bool holes, void* scratch, cudaStream_t stream);

}  // namespace tdz::cuda
