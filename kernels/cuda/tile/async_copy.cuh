// SPDX-License-Identifier: Apache-2.0
// Copies from device memory to shared memory that do not wait (PTX ISA, "cp.async"). GPUs before compute
// capability 8.0 wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tdz::cuda {

/// Starts a copy of 4, 8 or 16 bytes. Both addresses are multiples of that. Other threads see the bytes after
/// this thread has waited, and a barrier.
template <unsigned Bytes>
__device__ void start_copy(void* to, const void* from) {
#if !defined(__CUDACC__)
  simulated::start_copy(to, from, Bytes);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(Bytes) : "memory");
  }
#else
  using Part =
      std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, std::uint64_t, std::uint32_t> >;
  *static_cast<Part*>(to) = *static_cast<const Part*>(from);
#endif
}

/// Waits for all copies of this thread.
__device__ inline void wait_for_copies() {
#if !defined(__CUDACC__)
  simulated::wait_for_copies();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace tdz::cuda
