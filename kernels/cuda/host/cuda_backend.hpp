// SPDX-License-Identifier: Apache-2.0
// The CUDA backend, and whether this machine can run it.
#pragma once

#include <memory>

#include "kernels/backend.hpp"

namespace tdz {

/// Makes a backend: for round trips and measurements, chunk by chunk. (Files are decoded in batches:
/// device_queue.hpp.) All its memory is allocated once, in `slots` parts (at least 1), each for one chunk at a
/// time. If memory is short, the slots are smaller; a chunk that fits none goes to the CPU. Errors: unsupported
/// (there is no such device), limit (too little memory on it), io.
Result<std::unique_ptr<Backend>> make_cuda_backend(const DeviceOptions& options = {}, unsigned slots = 3);

/// A description of the first device, or the reason why there is none.
BackendInfo cuda_backend_info();

}  // namespace tdz
