// SPDX-License-Identifier: Apache-2.0
// What a decoder asks of a device. Needs no CUDA header; tests have a queue without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "formats/error.hpp"
#include "kernels/cuda/host/decode_job.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz::cuda {

class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;

  /// Pinned memory, aligned to 256 bytes. The next call takes it back.
  virtual Result<std::span<std::byte>> pinned(std::size_t bytes) = 0;
  /// Device memory that undoing this step takes.
  virtual std::uint64_t step_scratch_bytes(const StepRun& run) const = 0;
  /// Makes what enqueue() needs for this job.
  virtual Status prepare(const DecodeJob& job) = 0;
  /// Puts all work on the stream; on the way it uses streams of its own. Allocates nothing. Waits for
  /// nothing, except after an error.
  virtual Status enqueue(const DecodeJob& job, const DecodeMemory& memory, CUstream_st* stream) = 0;
  /// Waits until the last enqueue() is through.
  virtual Status wait() = 0;
  /// Copies, and waits for it.
  virtual Status copy_down(std::span<std::byte> to, const std::byte* from) = 0;
  virtual Status copy_up(std::byte* to, std::span<const std::byte> from) = 0;
};

/// On the current device. Errors: unsupported (there is no device), io.
Result<std::unique_ptr<DeviceQueue>> make_cuda_queue();

}  // namespace tdz::cuda
