// SPDX-License-Identifier: Apache-2.0
// GPUs: the list of them, and the steps for data in GPU memory. This header needs no CUDA header.
// tdz opens libtdz_cuda.so when it first needs it (docs/building.md says where it looks). Without it, and
// on a machine without a CUDA driver or device, every function returns Error unsupported, which says what is
// missing. Every function is thread-safe.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz {

/// All CUDA devices of this machine, in CUDA's order; also those that this build has no code for.
Result<std::vector<DeviceInfo>> devices();

// ---- For data that stays on the device ----------------------------------------------------------------

/// The length of the extra device memory, in bytes, that a call of device_forward or device_inverse with this
/// column and these buffers needs. May be 0. Errors: as device_forward.
Result<std::size_t> device_space_bytes(const Column& column, const DeviceBuffers& buffers);

/// Applies the steps to every chunk: values in `buffers.in`, residuals in `buffers.out`. Each chunk is
/// transformed alone, as in a file. `space` is device memory, aligned to 16 bytes; `space_bytes` is at least
/// what device_space_bytes returns. Calls that may run at the same time need separate buffers and spaces.
/// The work is put on the caller's stream; the call allocates nothing and waits for nothing.
/// Errors: usage (alignment, chunk length, word, too little space), unsupported, io (a launch failed). Errors
/// during execution appear on the stream, as CUDA reports them.
Status device_forward(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);
/// The inverse: residuals in `buffers.in`, values in `buffers.out`. Everything else as device_forward.
Status device_inverse(const Column& column, const DeviceBuffers& buffers, void* space,
                      std::size_t space_bytes, CUstream_st* stream);

}  // namespace tdz
