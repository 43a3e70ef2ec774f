// SPDX-License-Identifier: Apache-2.0
// GPUs: which there are, and differences of numbers that lie in their memory. Needs no CUDA header; in a
// build without the CUDA backend, and on a machine without a device, everything here is an Error unsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/error.hpp"
#include "formats/transform.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz {

struct DeviceInfo {
  int number = 0;  ///< as CUDA counts
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::uint64_t memory = 0, free_memory = 0;
  bool supported = false;  ///< this build has code for it: from compute capability 7.5 on
};
Result<std::vector<DeviceInfo>> devices();

/// Which device a call may use, and how much of it.
struct DeviceOptions {
  int number = 0;
  std::uint64_t memory = 0;  ///< at most; 0: a quarter of what is free. Never more than half of what is free
};

// ---- For data that stays on the device
// ----------------------------------------------------------------------------

/// `bytes` bytes in the memory of the current device, cut into chunks of `chunk_bytes` (a multiple of 16),
/// the last one shorter. Every chunk begins anew, as in a file. `in` and `out` are aligned to 16 bytes and do
/// not overlap.
struct DeviceBuffers {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t chunk_bytes = 0;
};

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
