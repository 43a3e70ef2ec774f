// SPDX-License-Identifier: Apache-2.0
// Chunks of many threads become batches of one device. Host code without CUDA, tested without a device.
//
// A thread that brings a chunk joins a batch that is still boarding, or opens one and leads it. The leader
// sets off as soon as the device has room for one more batch: so an idle device starts at once with what is
// there, and while it is busy the next batch fills. Every thread copies its own chunks in and out, beside the
// others; with one slot more than there are batches on the device, copies and kernels of different batches
// overlap.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "kernels/cuda/host/batch_plan.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// What the chunks of a batch have in common, and their lengths; chunk i lies i * stride bytes into the slot.
struct BatchContents {
  Transform transform;
  Direction direction = Direction::integrate;
  std::uint64_t stride = 0;
  std::vector<std::uint64_t> lengths;
};

/// Room for one batch, and whoever works on it.
class BatchSlot {
 public:
  virtual ~BatchSlot() = default;
  /// Where chunks come and go. The same bytes at every call.
  virtual std::span<std::byte> memory() = 0;
  /// Puts the results where the chunks lay. One call at a time.
  virtual Status run(const BatchContents& contents) = 0;
};

class Batcher {
 public:
  /// At most `at_once` batches are on the device. Precondition: there is a slot.
  Batcher(std::vector<std::unique_ptr<BatchSlot>> slots, unsigned at_once);

  /// Runs jobs that share a transform and fit one slot together. Any number of threads may call; all chunks
  /// of a batch that failed get its error. Precondition: next_batch() planned them for the smallest slot.
  Status run(std::span<const TransformJob> jobs, const BatchPlan& plan, Direction direction);

 private:
  enum class State : unsigned char { free, boarding, under_way, arrived };
  struct Berth {
    std::unique_ptr<BatchSlot> slot;
    State state = State::free;
    BatchContents contents;
    unsigned copying = 0;  ///< threads that still bring chunks
    unsigned members = 0;  ///< threads that still need the slot
    std::optional<Error> error;
  };
  /// A thread's part of a batch.
  struct Seats {
    Berth* berth = nullptr;
    std::size_t first = 0;
    bool leads = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  Seats board(Lock& lock, std::span<const TransformJob> jobs, const BatchPlan& plan, Direction direction);
  Berth* joinable(const TransformJob& job, const BatchPlan& plan, Direction direction);
  Berth* free_berth();
  void lead(Lock& lock, Berth& berth);
  void leave(Berth& berth);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Berth> berths_;
  unsigned at_once_;
  unsigned under_way_ = 0;
};

}  // namespace tdz::cuda
