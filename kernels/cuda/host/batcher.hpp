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

/// Chunks of a slot begin on whole cache lines of the device.
inline constexpr std::uint64_t kChunkAlignment = 128;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kChunkAlignment - 1) / kChunkAlignment * kChunkAlignment;
}

/// From a chunk of so many bytes to the next one in a slot; an empty chunk has a place of its own, too.
constexpr std::uint64_t stride_of(std::uint64_t bytes) {
  return bytes == 0 ? kChunkAlignment : aligned(bytes);
}

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

  /// Runs a job together with those of other threads. All chunks of a batch that failed get its error.
  /// Precondition: stride_of(job.in.size()) is at most the length of every slot.
  Status run(const TransformJob& job, Direction direction);

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
  /// A thread's place in a batch.
  struct Place {
    Berth* berth = nullptr;
    std::size_t number = 0;
    bool leads = false;

    std::span<std::byte> memory(std::size_t bytes) const {
      return berth->slot->memory().subspan(static_cast<std::size_t>(number * berth->contents.stride), bytes);
    }
  };
  using Lock = std::unique_lock<std::mutex>;

  Place board(Lock& lock, const TransformJob& job, Direction direction);
  Berth* joinable(const TransformJob& job, Direction direction);
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
