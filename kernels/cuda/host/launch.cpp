// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/launch.hpp"

#include "kernels/cuda/integrate/look_back_space.hpp"

namespace tdz::cuda {

std::size_t look_back_bytes(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                            const DeviceShape& device) {
  return look_back_space(fitted_plan(pass, tuning, Direction::integrate_by_look_back, device), batch).bytes;
}

}  // namespace tdz::cuda
