// SPDX-License-Identifier: Apache-2.0
// The CUDA backend, and whether this machine can run it.
#pragma once

#include <memory>

#include "kernels/backend.hpp"

namespace tdz {

/// Makes a backend. All its memory is allocated once, in `slots` parts (at least 1). With three slots one
/// batch fills, one is copied, and one is computed. If memory is short, batches are smaller; a chunk that
/// fits no batch goes to the CPU. A batch that fails gives an error (limit or io), and the caller then runs
/// its chunks on the CPU. Errors: unsupported (there is no such device), limit (too little memory on it), io.
Result<std::unique_ptr<Backend>> make_cuda_backend(const DeviceOptions& options = {}, unsigned slots = 3);

/// A description of the first device, or the reason why there is none.
BackendInfo cuda_backend_info();

}  // namespace tdz
