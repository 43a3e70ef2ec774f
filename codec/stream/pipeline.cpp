// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "codec/stream/resources.hpp"

namespace tdz {
namespace {

Error cancelled() {
  return {ErrorKind::cancelled, "stopped on request"};
}

}  // namespace

Pipeline::Pipeline(std::size_t slots, unsigned workers) : workers_(workers), ring_(slots) {}

Status Pipeline::run(const PipelineStages& stages, std::stop_token stop) {
  reset();
  stages_ = &stages;
  stop_ = std::move(stop);
  {
    std::vector<std::jthread> helpers;  // joined at the end of this block
    try {
      helpers.reserve(workers_ - 1);
      for (unsigned worker = 1; worker < workers_; ++worker) {
        helpers.emplace_back([this, worker] { work_loop(worker); });
      }
    } catch (const std::system_error&) {
      // The system gives no more threads; those that run do all the work.
    }
    work_loop(0);
  }
  if (failure_) return *std::move(failure_);
  return ok();
}

void Pipeline::reset() {
  std::fill(ring_.begin(), ring_.end(), Slot{});
  filled_ = drained_ = 0;
  filling_ = draining_ = ended_ = false;
  failure_.reset();
}

void Pipeline::work_loop(unsigned worker) {
  Lock lock(mutex_);
  while (!finished()) {
    if (can_drain()) {
      drain_one(lock);
    } else if (can_fill()) {
      fill_and_work(lock, worker);
    } else {
      changed_.wait(lock);
    }
  }
}

bool Pipeline::finished() const {
  return failure_.has_value() || (ended_ && filled_ == drained_);
}

bool Pipeline::can_drain() const {
  return !draining_ && drained_ < filled_ && ring_[next_slot(drained_)].state == State::done;
}

bool Pipeline::can_fill() const {
  return !filling_ && !ended_ && filled_ - drained_ < ring_.size();
}

void Pipeline::drain_one(Lock& lock) {
  const std::size_t slot = next_slot(drained_);
  draining_ = true;
  auto error = std::exchange(ring_[slot].error, std::nullopt);
  if (!error) {
    lock.unlock();
    error = error_of(guarded([&] { return stages_->drain(slot); }));
    lock.lock();
  }
  draining_ = false;
  ring_[slot].state = State::free;
  ++drained_;
  if (error) failure_ = std::move(error);
  changed_.notify_all();
}

void Pipeline::fill_and_work(Lock& lock, unsigned worker) {
  const std::size_t slot = next_slot(filled_);
  if (!fill(lock, slot)) return;
  lock.unlock();
  auto error = error_of(guarded([&] { return stages_->work(slot, worker); }));
  lock.lock();
  set_done(slot, std::move(error));
}

/// False if there is nothing to work on, because the input has ended or failed.
bool Pipeline::fill(Lock& lock, std::size_t slot) {
  filling_ = true;
  lock.unlock();
  auto result =
      stop_.stop_requested() ? Result<bool>(cancelled()) : guarded([&] { return stages_->fill(slot); });
  lock.lock();
  filling_ = false;
  const bool failed = !result;
  const bool more = !failed && *result;
  if (more || failed) ++filled_;  // an error takes a slot, so that it is reported in slot order
  ended_ = ended_ || !more;
  ring_[slot].state = State::busy;
  if (failed) set_done(slot, std::move(result).error());
  if (!more && !failed) ring_[slot].state = State::free;
  changed_.notify_all();
  return more;
}

void Pipeline::set_done(std::size_t slot, std::optional<Error> error) {
  ended_ = ended_ || error.has_value();  // slots after a failing one are never drained
  ring_[slot].error = std::move(error);
  ring_[slot].state = State::done;
  changed_.notify_all();
}

unsigned worker_count(unsigned requested) {
  return requested != 0 ? requested : usable_cores();
}

std::size_t ring_size(unsigned workers) {
  return workers == 1 ? 1 : std::size_t{2} * workers;
}

// ---- Numbered items

void in_parallel(std::size_t count, unsigned threads,
                 const std::function<void(std::size_t item, unsigned worker)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto loop = [&](unsigned worker) {
    for (std::size_t item = next++; item < count; item = next++) work(item, worker);
  };
  std::vector<std::jthread> helpers;  // joined at the end
  const auto wanted = static_cast<unsigned>(std::min<std::size_t>(count, threads));
  try {
    for (unsigned worker = 1; worker < wanted; ++worker) helpers.emplace_back(loop, worker);
  } catch (const std::system_error&) {
    // The system gives no more threads; those that run do all the work.
  }
  loop(0);
}

Status each_in_parallel(std::size_t count, unsigned threads,
                        const std::function<Status(std::size_t item, unsigned worker)>& work) {
  std::vector<Status> done(count, ok());
  in_parallel(count, threads, [&](std::size_t item, unsigned worker) {
    done[item] = guarded([&] { return work(item, worker); });
  });
  const auto failed = std::ranges::find_if(done, [](const Status& one) { return !one; });
  return failed == done.end() ? ok() : *failed;
}

Status neighbours_in_parallel(std::size_t count, unsigned threads,
                              const std::function<Status(std::size_t first, std::size_t end)>& work) {
  const std::size_t groups = (count + kTogether - 1) / kTogether;
  return each_in_parallel(groups, threads, [&](std::size_t group, unsigned) {
    const std::size_t first = group * kTogether;
    return work(first, std::min(count, first + kTogether));
  });
}

}  // namespace tdz
