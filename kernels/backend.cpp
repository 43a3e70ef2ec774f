// SPDX-License-Identifier: Apache-2.0
#include "kernels/backend.hpp"

#if TDZ_WITH_CUDA
#include "kernels/cuda/cuda_backend.hpp"
#endif

namespace tdz {
namespace {

/// kernels/cuda defines cuda_backend_state() where it is built.
BackendState state_of_cuda() {
#if TDZ_WITH_CUDA
  return cuda_backend_state();
#else
  return {"cuda", false, "not built"};
#endif
}

}  // namespace

std::vector<BackendState> backend_states() {
  return {{cpu_backend().name(), true, cpu_backend().describe()}, state_of_cuda()};
}

}  // namespace tdz
