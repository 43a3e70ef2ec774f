// SPDX-License-Identifier: Apache-2.0
// Everything that integrates or differences on the device, behind one interface.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::bench {

struct Method {
  const char* name;
  cuda::Direction direction;
  bool (*supports)(const Pass&);
  /// Zeros in the tuning stand for the tuned values.
  cudaError_t (*run)(const Pass&, const cuda::ChunkBatch&, const cuda::ScanTuning&);
};

/// Throws std::out_of_range for a name that nobody has.
const Method& method_named(const std::string& name);

}  // namespace tdz::bench
