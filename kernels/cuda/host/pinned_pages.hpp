// SPDX-License-Identifier: Apache-2.0
// Pinned host memory. cudaHostAlloc takes 140 ms for 256 MiB; huge pages that several threads touch, and that
// CUDA then registers, take 15 ms (H200, 2026).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

#include "kernels/cuda/host/cuda_handles.hpp"

namespace tdz::cuda {

/// Keeps its memory for the next call.
class PinnedPages {
 public:
  /// Aligned to 256 bytes. If the memory has to grow, the old content is lost. Errors: limit, io.
  Result<std::span<std::byte>> take(std::size_t bytes);

 private:
  struct Free {
    void operator()(std::byte* pages) const noexcept { std::free(pages); }
  };

  bool register_pages(std::size_t bytes);

  std::unique_ptr<std::byte, Free> pages_;  // registered; freed after registered_
  Owned<void*, cudaHostUnregister> registered_;
  PinnedMemory memory_;  // where pages cannot be registered
  std::span<std::byte> all_;
};

}  // namespace tdz::cuda
