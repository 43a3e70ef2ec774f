// SPDX-License-Identifier: Apache-2.0
// All ways to integrate or difference on the device, behind one interface.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::bench {

struct Method {
  const char* name;
  cuda::Direction direction;
  bool (*supports)(const Pass&);
  /// A zero in the tuning means the tuned value.
  cudaError_t (*run)(const Pass&, const cuda::ChunkBatch&, const cuda::ScanTuning&);
};

/// Throws std::out_of_range if there is no method of this name.
const Method& method_named(const std::string& name);

}  // namespace tdz::bench
