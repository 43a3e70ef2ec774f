// SPDX-License-Identifier: Apache-2.0
// Threads: a bounded pipeline that keeps order, and work on numbered items.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <vector>

#include "formats/error.hpp"

namespace tdz {

// ---- A bounded pipeline that keeps order: fill -> work -> drain over a fixed ring of slots.
//
// There is no reader thread and no writer thread. Each worker (the caller is one of them) does the next
// possible task: it drains the oldest slot if its work is done, else it fills a free slot and works on it
// while the bytes are still in the cache. At most one thread fills and at most one drains at any time, each
// in slot order. So one worker means one thread and a plain loop; the memory is the ring; a stalled input or
// output blocks only one thread.
//
// Errors come out in slot order: every slot filled before the first failing one is drained, none after it.

/// The work on slot number `slot` of the ring. If a stage throws std::bad_alloc, that becomes Error limit.
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
  /// If the system refuses threads, the workers that exist do all the work.
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
  /// The slot that comes after the first `so_far` ones.
  std::size_t next_slot(std::uint64_t so_far) const {
    return static_cast<std::size_t>(so_far % ring_.size());
  }
  bool can_drain() const;
  bool can_fill() const;
  void drain_one(Lock& lock);
  void fill_and_work(Lock& lock, unsigned worker);
  bool fill(Lock& lock, std::size_t slot);
  void set_done(std::size_t slot, std::optional<Error> error);

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
  bool ended_ = false;  // no further slot will be filled
  std::optional<Error> failure_;
};

/// The Error limit for a std::bad_alloc.
Error out_of_memory() noexcept;

/// Calls it, and turns std::bad_alloc into an error value: no exception leaves a thread, or a call of the
/// library.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

/// The number of workers for a request: 0 means one for each of usable_cores().
unsigned worker_count(unsigned requested);
/// The number of slots that keep the workers busy: for each worker one slot to work on, and one that waits to
/// be drained.
std::size_t ring_size(unsigned workers);

// ---- Numbered items

/// Calls `work(item, worker)` for the items 0 to count - 1, each once, in any order; workers are numbered
/// from 0 to threads - 1. `work` must not throw.
void in_parallel(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t item, unsigned worker)>& work);

}  // namespace tdz
