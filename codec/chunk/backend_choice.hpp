// SPDX-License-Identifier: Apache-2.0
// The backends by name. None replaces another: tests and measurements must see a device fail.
#pragma once

#include <memory>

#include "kernels/backend.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Errors: unsupported or limit, with the reason, if the backend is not available. `automatic` is the CPU.
Result<std::shared_ptr<Backend>> bare_backend(BackendChoice choice, const DeviceOptions& device = {});

/// Whether the devices can be used. The same errors.
Status check_device(const DeviceOptions& device);

/// The error of a device that cannot be used.
Error not_available(const Error& error);

}  // namespace tdz
