// SPDX-License-Identifier: Apache-2.0
// What an encoder asks of a device. Needs no CUDA header; tests have a queue without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "formats/error.hpp"
#include "kernels/cuda/host/encode_job.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz::cuda {

class EncodeQueue {
 public:
  virtual ~EncodeQueue() = default;

  /// Pinned memory, aligned to 256 bytes. The next call takes it back.
  virtual Result<std::span<std::byte>> pinned(std::size_t bytes) = 0;
  /// Puts all work on the stream; on the way it uses a stream of its own. Allocates nothing. Waits for
  /// nothing, except after an error.
  virtual Status enqueue(const EncodeJob& job, const EncodeMemory& memory, CUstream_st* stream) = 0;
  /// Waits until the results of the last enqueue() are in the image. The device may still write frames.
  virtual Status wait_for_results() = 0;
  /// Copies pieces and records of the image, up to `end`, and puts the records to their places in the output.
  /// Does not wait for it.
  virtual Status put_records(const EncodeJob& job, const EncodeMemory& memory, std::uint64_t end) = 0;
  /// Waits until the last enqueue() and all behind it is through.
  virtual Status wait() = 0;
  /// Copies, and waits for it. The frames may still be written.
  virtual Status copy_down(std::span<std::byte> to, const std::byte* from) = 0;
  virtual Status copy_up(std::byte* to, std::span<const std::byte> from) = 0;
};

/// On the current device. Errors: unsupported (there is no device), io.
Result<std::unique_ptr<EncodeQueue>> make_cuda_encode_queue();

}  // namespace tdz::cuda
