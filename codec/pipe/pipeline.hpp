// SPDX-License-Identifier: Apache-2.0
// A bounded pipeline that keeps order: fill -> work -> drain over a fixed ring of slots.
//
// There is no reader thread and no writer thread. Each of the workers (the caller is one of them) does whatever is
// possible next: drain the oldest slot if its work is done, else fill a free slot and work on it while its bytes
// are warm in the cache. At most one thread fills and at most one drains at any time, each in slot order. So one
// worker means one thread and a plain loop, memory is the ring, and a stalled input or output blocks one thread only.
//
// Errors come out in slot order: everything filled before the first failing slot has been drained, nothing after it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "formats/error.hpp"

namespace tdz {

/// What happens to slot number `slot` of the ring. An exception std::bad_alloc becomes Error limit.
struct PipelineStages {
  std::function<Result<bool>(std::size_t slot)> fill;  ///< false: the input has ended, the slot stays empty
  std::function<Status(std::size_t slot, unsigned worker)> work;
  std::function<Status(std::size_t slot)> drain;
};

class Pipeline {
 public:
  /// Preconditions: slots >= 1, workers >= 1. Throws std::bad_alloc.
  Pipeline(std::size_t slots, unsigned workers);
  /// Runs to the end of the input, the first error, or a stop request (Error cancelled). One call at a time.
  /// Where the system refuses threads, the workers that exist do it all.
  Status run(const PipelineStages& stages, std::stop_token stop);

 private:
  enum class State : unsigned char { free, busy, done };
  struct Slot {
    State state = State::free;
    std::optional<Error> error;
  };
  using Lock = std::unique_lock<std::mutex>;

  void reset();
  void work_loop(unsigned worker);
  bool finished() const;
  /// Behind so many that were filled or drained.
  std::size_t next_slot(std::uint64_t so_far) const {
    return static_cast<std::size_t>(so_far % ring_.size());
  }
  bool can_drain() const;
  bool can_fill() const;
  void drain_one(Lock& lock);
  void fill_and_work(Lock& lock, unsigned worker);
  bool fill(Lock& lock, std::size_t slot);
  void settle(std::size_t slot, std::optional<Error> error);

  const PipelineStages* stages_ = nullptr;
  std::stop_token stop_;
  unsigned workers_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> ring_;
  std::uint64_t filled_ = 0;   // slots filled so far; the next one to fill is filled_ mod ring
  std::uint64_t drained_ = 0;  // slots drained so far
  bool filling_ = false;
  bool draining_ = false;
  bool ended_ = false;       // nothing more is to be filled
  std::optional<Error> failure_;
};

/// What an std::bad_alloc becomes.
Error out_of_memory() noexcept;

/// How many workers a request stands for: 0 is every core of the machine.
unsigned worker_count(unsigned requested);
/// How many slots keep that many workers busy: a worker with its slot, and one more waiting its turn to drain.
std::size_t ring_size(unsigned workers);

}  // namespace tdz
