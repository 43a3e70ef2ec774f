// SPDX-License-Identifier: Apache-2.0
// Chunks of many threads become batches of one device. Host code without CUDA, tested without a device.
//
// A thread that brings a chunk joins an open batch, or opens one and leads it. The leader starts the batch as
// soon as the device has room for it. So an idle device starts at once with the chunks that are there, and
// the next batch fills while the device is busy. Every thread copies its own chunks in and out, at the same
// time as the others. If there is one slot more than batches on the device, copies and kernels of different
// batches overlap.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kernels/backend.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// Every chunk in a slot begins at a cache line of the device.
inline constexpr std::uint64_t kChunkAlignment = 128;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kChunkAlignment - 1) / kChunkAlignment * kChunkAlignment;
}

/// The distance from a chunk of this length to the next one in a slot. An empty chunk has a place too.
constexpr std::uint64_t stride_of(std::uint64_t bytes) {
  return bytes == 0 ? kChunkAlignment : aligned(bytes);
}

/// What the chunks of a batch have in common, and their lengths. Chunk i begins at byte i * stride of the
/// slot.
struct BatchContents {
  Transform transform;
  Direction direction = Direction::integrate;
  std::uint64_t stride = 0;
  std::vector<std::uint64_t> lengths;
};

/// Memory for one batch, and the device that works on it.
class BatchSlot {
 public:
  virtual ~BatchSlot() = default;
  /// Where the chunks are put, and where their results are taken from. Every call returns the same memory.
  virtual std::span<std::byte> memory() = 0;
  /// Overwrites the chunks with their results. One call at a time.
  virtual Status run(const BatchContents& contents) = 0;
};

class Batcher {
 public:
  /// At most `at_once` batches run on the device at the same time. Precondition: there is at least one slot.
  Batcher(std::vector<std::unique_ptr<BatchSlot>> slots, unsigned at_once);

  /// Runs a job, together with the jobs of other threads. If a batch fails, all its jobs get the error.
  /// Precondition: stride_of(job.in.size()) is at most the length of every slot.
  Status run(const TransformJob& job, Direction direction);

 private:
  enum class State : unsigned char { free, open, running, done };
  struct Batch {
    std::unique_ptr<BatchSlot> slot;
    State state = State::free;
    BatchContents contents;
    unsigned copying = 0;  ///< threads that still bring chunks
    unsigned users = 0;    ///< threads that still need the slot
    std::optional<Error> error;
  };
  /// A thread's place in a batch.
  struct Place {
    Batch* batch = nullptr;
    std::size_t number = 0;
    bool leads = false;

    std::span<std::byte> memory(std::size_t bytes) const {
      return batch->slot->memory().subspan(static_cast<std::size_t>(number * batch->contents.stride), bytes);
    }
  };
  using Lock = std::unique_lock<std::mutex>;

  Place join(Lock& lock, const TransformJob& job, Direction direction);
  Batch* open_batch(const TransformJob& job, Direction direction);
  Batch* free_batch();
  void lead(Lock& lock, Batch& batch);
  void leave(Batch& batch);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Batch> batches_;
  unsigned at_once_;
  unsigned running_ = 0;
};

}  // namespace tdz::cuda
