// SPDX-License-Identifier: Apache-2.0
#include "kernels/backend.hpp"

#include "kernels/cuda/host/cuda_backend.hpp"

namespace tdz {

std::vector<BackendState> backend_states() {
  return {{cpu_backend().name(), true, cpu_backend().describe()}, cuda_backend_state()};
}

}  // namespace tdz
