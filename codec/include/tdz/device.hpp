// SPDX-License-Identifier: Apache-2.0
// GPUs: which there are, and differences of numbers that lie in their memory. Needs no CUDA header; in a
// build without the CUDA backend, and on a machine without a device, everything here is an Error unsupported.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "kernels/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz {

Result<std::vector<DeviceInfo>> devices();

// ---- For data that stays on the device --------------------------------------------------------------------

/// How much device memory, aligned to 16 bytes, the next two functions need beside such buffers; may be 0.
Result<std::size_t> device_space_bytes(const Transform& transform, const DeviceBuffers& buffers);

/// Applies the steps to every chunk: values to residuals. Enqueued on the caller's stream; allocates nothing,
/// waits for nothing. Errors: usage, unsupported, io (a launch that failed); errors of execution show on the
/// stream.
Status device_forward(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);
/// Undoes them: residuals to values.
Status device_inverse(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);

}  // namespace tdz
