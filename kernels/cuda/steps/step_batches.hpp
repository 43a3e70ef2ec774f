// SPDX-License-Identifier: Apache-2.0
// Launches that need no side data: what their kernels are told. Plain values, for host and device.
#pragma once

#include "kernels/cuda/steps/lane_rule.hpp"

namespace tdz::cuda {

/// If sources are added, input and output are different memory, and the tuple is a multiple of their lanes.
struct RowsBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;  ///< words of a row
  std::uint8_t order = 0;   ///< of the difference, up to kHighestRowOrder; 0: none
  LaneSources sources;
};

/// Chunks whose input is planar, and aligned to 16 bytes. Words of 1, 2 or 4 bytes.
struct GatherBatch {
  StepBatch steps;  ///< its `in` is not used
  std::uint32_t tuple = 1;
};

}  // namespace tdz::cuda
