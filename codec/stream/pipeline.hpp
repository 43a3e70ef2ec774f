// SPDX-License-Identifier: Apache-2.0
// Threads: a bounded pipeline that keeps order, and work on numbered items.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "codec/chunk/guarded.hpp"
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

/// The error of a result, if it is one.
template <class T>
std::optional<Error> error_of(Result<T> result) {
  if (result) return std::nullopt;
  return std::move(result).error();
}

/// Runs a pipeline over a ring of slots of the caller. `stages` has the functions fill(slot), work(slot,
/// worker) and drain(slot), as PipelineStages says. Errors: those of Pipeline::run(). Throws std::bad_alloc.
template <class Slot, class Stages>
Status run_pipeline(std::vector<Slot>& ring, unsigned workers, Stages& stages, std::stop_token stop) {
  const PipelineStages of_slots{
      [&](std::size_t slot) { return stages.fill(ring[slot]); },
      [&](std::size_t slot, unsigned worker) { return stages.work(ring[slot], worker); },
      [&](std::size_t slot) { return stages.drain(ring[slot]); }};
  return Pipeline(ring.size(), workers).run(of_slots, std::move(stop));
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

/// The same for work that may fail. All items are worked on, whatever becomes of others. Returns the error of
/// the first item in order that has one; std::bad_alloc becomes Error limit.
Status each_in_parallel(std::size_t count, unsigned threads,
                        const std::function<Status(std::size_t item, unsigned worker)>& work);

/// The same for many short items: `work(first, end)` does the neighbours [first, end), up to kTogether of
/// them. It stops at the first of them that fails, and returns its error.
inline constexpr std::size_t kTogether = 256;
Status neighbours_in_parallel(std::size_t count, unsigned threads,
                              const std::function<Status(std::size_t first, std::size_t end)>& work);

/// The items of a round, for items of this number.
constexpr std::size_t round_size(std::size_t count, unsigned threads) {
  return std::clamp<std::size_t>(count, 1, threads);
}

/// Works on numbered items in rounds of `size`. In a round the calling thread calls `bring(item, place)` for
/// each item in order, then `size` threads call `work(item, place)`, then the calling thread calls
/// `take(item, place)` for each in order. Places are numbered from 0 to size - 1; in a round each has one
/// item. All return a Status; the first error ends it.
template <class Bring, class Work, class Take>
Status in_rounds(std::size_t count, std::size_t size, const Bring& bring, const Work& work,
                 const Take& take) {
  for (std::size_t first = 0; first < count; first += size) {
    const std::size_t items = std::min(size, count - first);
    for (std::size_t i = 0; i < items; ++i)
      if (Status done = bring(first + i, i); !done) return done;
    const Status done = each_in_parallel(items, static_cast<unsigned>(size),
                                         [&](std::size_t i, unsigned) { return work(first + i, i); });
    if (!done) return done;
    for (std::size_t i = 0; i < items; ++i)
      if (Status taken = take(first + i, i); !taken) return taken;
  }
  return ok();
}

}  // namespace tdz
