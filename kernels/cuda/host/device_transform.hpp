// SPDX-License-Identifier: Apache-2.0
// For data that stays on the GPU: turns residuals on the device into values on the device, and back, on the
// caller's stream. Nothing is allocated, nothing waits. Needs no CUDA header.
#pragma once

#include <cstddef>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz::cuda {

/// Bytes of device memory that device_forward and device_inverse need for such a call; may be 0. The memory
/// must be aligned to 16 bytes.
Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers);

/// Applies the steps to every chunk. Enqueued on `stream`; the stream reports errors of execution.
Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);
/// Undoes the steps.
Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);

}  // namespace tdz::cuda
