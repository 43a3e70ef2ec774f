// SPDX-License-Identifier: Apache-2.0
// The CUDA backend, and how it stands on this machine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/backend.hpp"

namespace tdz {

struct CudaOptions {
  int device = 0;
  /// Device memory in all, at most; 0: a quarter of what is free. It never takes more than half of what is
  /// free.
  std::uint64_t memory = 0;
  unsigned slots = 3;  ///< at least 1: one batch fills, one is copied, one is worked on
};

/// A device as `tdz devices` lists it.
struct CudaDevice {
  int number = 0;
  std::string name;
  int major = 0, minor = 0;
  std::uint64_t memory = 0, free_memory = 0;
  bool supported = false;  ///< this build has code for it
};

/// Error unsupported says why there is none: no driver, no device, a build without CUDA.
Result<std::vector<CudaDevice>> cuda_devices();

/// A backend with all its memory, allocated once. Where memory is short it takes smaller batches; a chunk
/// that fits no batch goes to the CPU. A batch that fails is an error (limit or io): whoever calls runs it
/// again on the CPU. Errors: unsupported (there is no such device), limit (its memory), io.
Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options = {});

/// For --version and --backend: a description of the first device, or the reason why there is none.
BackendState cuda_backend_state();

}  // namespace tdz
