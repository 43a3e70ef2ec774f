// SPDX-License-Identifier: Apache-2.0
#include "kernels/backend.hpp"

#include "kernels/cuda/host/cuda_backend.hpp"

namespace tdz {

std::vector<BackendInfo> backends() {
  return {{cpu_backend().name(), true, cpu_backend().describe()}, cuda_backend_info()};
}

}  // namespace tdz
