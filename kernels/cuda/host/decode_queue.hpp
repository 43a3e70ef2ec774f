// SPDX-License-Identifier: Apache-2.0
// What a decoder asks of a device. Needs no CUDA header; tests have a queue without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "kernels/cuda/frames/put_pieces.hpp"
#include "kernels/cuda/host/decode_job.hpp"
#include "kernels/device.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz::cuda {

/// Of a piece of pinned memory, and of all pieces of some threads.
inline constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::size_t pieces_bytes(unsigned threads) {
  return 2 * kPieceBytes * threads;
}

class DecodeQueue {
 public:
  virtual ~DecodeQueue() = default;

  /// The device, as CUDA numbers them.
  virtual int device() const = 0;
  /// Makes the queue's device the current one of this thread.
  virtual Status make_current() = 0;
  /// A stream of its own.
  virtual CUstream_st* stream() const = 0;
  /// Pinned memory, aligned to 256 bytes. The next call takes it back.
  virtual Result<std::span<std::byte>> pinned(std::size_t bytes) = 0;
  /// Device memory, aligned to 256 bytes. The next call takes it back.
  virtual Result<std::byte*> memory(std::size_t bytes) = 0;
  /// Makes pinned memory in pieces, through which `threads` threads send bytes to the device. No piece may be
  /// on its way.
  virtual Status make_pieces(unsigned threads) = 0;
  /// kPieceBytes for this thread, which counts from 0. Waits until they are free. Several threads may call
  /// this and send().
  virtual Result<std::span<std::byte>> piece(unsigned thread) = 0;
  /// Copies the first bytes of the last piece() of this thread. The next enqueue() waits for that.
  virtual Status send(unsigned thread, std::byte* to, std::size_t bytes) = 0;
  /// Whether the device can copy these bytes from where they are. The first and the last byte are asked: one
  /// call of CUDA has pinned all of them, or none.
  virtual bool is_pinned(std::span<const std::byte> bytes) const = 0;
  /// Device memory that undoing this step takes.
  virtual std::uint64_t step_scratch_bytes(const StepRun& run) const = 0;
  /// Device memory that undoing the steps of these chunks takes.
  virtual std::uint64_t step_scratch_bytes(const PackedRun& run) const = 0;
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
  /// Copies pieces that lie anywhere in device memory, and waits for it. Whole calls use the same memory: one
  /// thread at a time.
  virtual Status gather(std::span<std::byte> to, const std::byte* from, std::span<const PutPiece> pieces) = 0;
};

/// On the current device. Errors: unsupported (there is no device), io.
Result<std::unique_ptr<DecodeQueue>> make_cuda_decode_queue();

/// Several queues, dealt to devices in turn.
struct DecodeQueues {
  std::vector<DeviceInfo> devices;
  std::vector<std::unique_ptr<DecodeQueue>> queues;
};
/// Of the devices that start_cuda_devices() starts. Makes one of them the current one of this thread. Errors:
/// unsupported (no such device, or this build has no code for it), limit, io.
Result<DecodeQueues> make_cuda_decode_queues(const std::vector<int>& devices, std::size_t count);

}  // namespace tdz::cuda
