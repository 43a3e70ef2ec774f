// SPDX-License-Identifier: Apache-2.0
// For people whose data stays on the GPU: residuals on the device in, values on the device out (and back), on
// the caller's stream. Nothing is allocated, nothing waits. Needs no CUDA header.
#pragma once

#include <cstddef>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "kernels/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz::cuda {

/// Device memory that device_forward and device_inverse need for such a call, aligned to 16 bytes; may be 0.
Result<std::size_t> device_space_bytes(const Transform& transform, const DeviceBuffers& buffers);

/// Applies the steps to every chunk. Enqueued on `stream`; errors of execution show there.
Status device_forward(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);
/// Undoes them.
Status device_inverse(const Transform& transform, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);

}  // namespace tdz::cuda
