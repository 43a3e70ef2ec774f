// SPDX-License-Identifier: Apache-2.0
// The CUDA backend, and how it stands on this machine.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/backend.hpp"

namespace tdz {

/// Error unsupported says why there is none: no driver, no device, a build without CUDA.
Result<std::vector<DeviceInfo>> cuda_devices();

/// A backend with all its memory, allocated once, in `slots` parts (at least 1): with three of them one batch
/// fills, one is copied, one is worked on. Where memory is short it takes smaller batches; a chunk that fits
/// no batch goes to the CPU. A batch that fails is an error (limit or io): whoever calls runs it again on the
/// CPU. Errors: unsupported (there is no such device), limit (its memory), io.
Result<std::unique_ptr<Backend>> make_cuda_backend(const DeviceOptions& options = {}, unsigned slots = 3);

/// A description of the first device, or the reason why there is none.
BackendInfo cuda_backend_info();

}  // namespace tdz
