// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/batcher.hpp"

#include <algorithm>
#include <cstring>

namespace tdz::cuda {
namespace {

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

}  // namespace

Batcher::Batcher(std::vector<std::unique_ptr<BatchSlot>> slots, unsigned at_once)
    : berths_(slots.size()), at_once_(at_once) {
  for (std::size_t i = 0; i < slots.size(); ++i) berths_[i].slot = std::move(slots[i]);
}

Status Batcher::run(std::span<const TransformJob> jobs, const BatchPlan& plan, Direction direction) {
  Lock lock(mutex_);
  const Seats seats = board(lock, jobs, plan, direction);
  Berth& berth = *seats.berth;
  const std::uint64_t stride = berth.contents.stride;
  const auto seat = [&](std::size_t i, std::size_t bytes) {
    return berth.slot->memory().subspan(static_cast<std::size_t>((seats.first + i) * stride), bytes);
  };

  lock.unlock();
  for (std::size_t i = 0; i < jobs.size(); ++i) copy(jobs[i].in, seat(i, jobs[i].in.size()));
  lock.lock();
  if (--berth.copying == 0) changed_.notify_all();
  if (seats.leads) lead(lock, berth);
  changed_.wait(lock, [&] { return berth.state == State::arrived; });
  const std::optional<Error> error = berth.error;

  lock.unlock();
  for (std::size_t i = 0; i < jobs.size() && !error; ++i) copy(seat(i, jobs[i].out.size()), jobs[i].out);
  lock.lock();
  leave(berth);
  return error ? Status(*error) : ok();
}

/// Takes seats in a batch that boards, or opens one. Waits for a slot if all are under way.
Batcher::Seats Batcher::board(Lock& lock, std::span<const TransformJob> jobs, const BatchPlan& plan,
                              Direction direction) {
  Seats seats;
  while (seats.berth == nullptr) {
    seats.berth = joinable(jobs.front(), plan, direction);
    if (seats.berth != nullptr) break;
    seats.berth = free_berth();
    seats.leads = seats.berth != nullptr;
    if (!seats.leads) changed_.wait(lock);
  }
  Berth& berth = *seats.berth;
  std::vector<std::uint64_t>& lengths = berth.contents.lengths;
  if (seats.leads) lengths.clear();
  lengths.reserve(lengths.size() + jobs.size());  // what may fail comes before what others see
  if (seats.leads) {
    berth.state = State::boarding;
    berth.contents.transform = *jobs.front().transform;
    berth.contents.direction = direction;
    berth.contents.stride = plan.stride;
    berth.error.reset();
  }
  seats.first = lengths.size();
  for (const TransformJob& job : jobs) lengths.push_back(job.in.size());
  ++berth.copying;
  ++berth.members;
  return seats;
}

Batcher::Berth* Batcher::joinable(const TransformJob& job, const BatchPlan& plan, Direction direction) {
  const auto takes = [&](Berth& berth) {
    const BatchContents& there = berth.contents;
    return berth.state == State::boarding && there.direction == direction && there.stride >= plan.stride &&
           there.transform == *job.transform &&
           (there.lengths.size() + plan.count) * there.stride <= berth.slot->memory().size();
  };
  const auto found = std::ranges::find_if(berths_, takes);
  return found == berths_.end() ? nullptr : &*found;
}

Batcher::Berth* Batcher::free_berth() {
  const auto found = std::ranges::find(berths_, State::free, &Berth::state);
  return found == berths_.end() ? nullptr : &*found;
}

/// Sets off once the device has room and everybody's chunks are in.
void Batcher::lead(Lock& lock, Berth& berth) {
  changed_.wait(lock, [&] { return under_way_ < at_once_ && berth.copying == 0; });
  berth.state = State::under_way;
  ++under_way_;
  lock.unlock();
  Status done = berth.slot->run(berth.contents);
  lock.lock();
  --under_way_;
  if (!done) berth.error = std::move(done).error();
  berth.state = State::arrived;
  changed_.notify_all();
}

void Batcher::leave(Berth& berth) {
  if (--berth.members > 0) return;
  berth.state = State::free;
  changed_.notify_all();
}

}  // namespace tdz::cuda
