// SPDX-License-Identifier: Apache-2.0
// Copies from device memory to shared memory that do not wait. GPUs before 8.0 wait.
#pragma once

#include <cstdint>

namespace tdz::cuda {

__device__ inline void copy_word_async(std::uint32_t* to, const std::uint32_t* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
#else
  *to = *from;
#endif
}
__device__ inline void commit_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// For all copies of this thread. Other threads see them behind a barrier.
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group 0;" ::: "memory");
#endif
}

}  // namespace tdz::cuda
