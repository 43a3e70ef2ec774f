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

Status Batcher::run(const TransformJob& job, Direction direction) {
  Lock lock(mutex_);
  const Place place = board(lock, job, direction);
  Berth& berth = *place.berth;

  lock.unlock();
  copy(job.in, place.memory(job.in.size()));
  lock.lock();
  if (--berth.copying == 0) changed_.notify_all();
  if (place.leads) lead(lock, berth);
  changed_.wait(lock, [&] { return berth.state == State::arrived; });
  const std::optional<Error> error = berth.error;

  lock.unlock();
  if (!error) copy(place.memory(job.out.size()), job.out);
  lock.lock();
  leave(berth);
  return error ? Status(*error) : ok();
}

/// Takes a place in a batch that boards, or opens one. Waits for a slot if all are under way.
Batcher::Place Batcher::board(Lock& lock, const TransformJob& job, Direction direction) {
  Place place;
  while (place.berth == nullptr) {
    place.berth = joinable(job, direction);
    if (place.berth != nullptr) break;
    place.berth = free_berth();
    place.leads = place.berth != nullptr;
    if (!place.leads) changed_.wait(lock);
  }
  Berth& berth = *place.berth;
  std::vector<std::uint64_t>& lengths = berth.contents.lengths;
  if (place.leads) lengths.clear();
  place.number = lengths.size();
  lengths.push_back(job.in.size());  // what may fail comes before what others see
  if (place.leads) {
    berth.state = State::boarding;
    berth.contents.transform = *job.transform;
    berth.contents.direction = direction;
    berth.contents.stride = stride_of(job.in.size());
    berth.error.reset();
  }
  ++berth.copying;
  ++berth.members;
  return place;
}

Batcher::Berth* Batcher::joinable(const TransformJob& job, Direction direction) {
  const auto takes = [&](Berth& berth) {
    const BatchContents& there = berth.contents;
    return berth.state == State::boarding && there.direction == direction &&
           there.stride >= stride_of(job.in.size()) && there.transform == *job.transform &&
           (there.lengths.size() + 1) * there.stride <= berth.slot->memory().size();
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
