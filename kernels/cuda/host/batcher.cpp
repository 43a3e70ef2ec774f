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
    : batches_(slots.size()), at_once_(at_once) {
  for (std::size_t i = 0; i < slots.size(); ++i) batches_[i].slot = std::move(slots[i]);
}

Status Batcher::run(const TransformJob& job, Direction direction) {
  Lock lock(mutex_);
  const Place place = join(lock, job, direction);
  Batch& batch = *place.batch;

  lock.unlock();
  copy(job.in, place.memory(job.in.size()));
  lock.lock();
  if (--batch.copying == 0) changed_.notify_all();
  if (place.leads) lead(lock, batch);
  changed_.wait(lock, [&] { return batch.state == State::done; });
  const std::optional<Error> error = batch.error;

  lock.unlock();
  if (!error) copy(place.memory(job.out.size()), job.out);
  lock.lock();
  leave(batch);
  return error ? Status(*error) : ok();
}

/// Takes a place in an open batch, or opens one. Waits for a slot if all slots are in use.
Batcher::Place Batcher::join(Lock& lock, const TransformJob& job, Direction direction) {
  Place place;
  while (place.batch == nullptr) {
    place.batch = open_batch(job, direction);
    if (place.batch != nullptr) break;
    place.batch = free_batch();
    place.leads = place.batch != nullptr;
    if (!place.leads) changed_.wait(lock);
  }
  Batch& batch = *place.batch;
  std::vector<std::uint64_t>& lengths = batch.contents.lengths;
  if (place.leads) lengths.clear();
  place.number = lengths.size();
  lengths.push_back(job.in.size());  // may throw: so it comes before any change that others see
  if (place.leads) {
    batch.state = State::open;
    batch.contents.transform = *job.transform;
    batch.contents.direction = direction;
    batch.contents.stride = stride_of(job.in.size());
    batch.error.reset();
  }
  ++batch.copying;
  ++batch.users;
  return place;
}

Batcher::Batch* Batcher::open_batch(const TransformJob& job, Direction direction) {
  const auto takes = [&](Batch& batch) {
    const BatchContents& there = batch.contents;
    return batch.state == State::open && there.direction == direction &&
           there.stride >= stride_of(job.in.size()) && there.transform == *job.transform &&
           (there.lengths.size() + 1) * there.stride <= batch.slot->memory().size();
  };
  const auto found = std::ranges::find_if(batches_, takes);
  return found == batches_.end() ? nullptr : &*found;
}

Batcher::Batch* Batcher::free_batch() {
  const auto found = std::ranges::find(batches_, State::free, &Batch::state);
  return found == batches_.end() ? nullptr : &*found;
}

/// Starts the batch when the device has room and all its chunks are copied in.
void Batcher::lead(Lock& lock, Batch& batch) {
  changed_.wait(lock, [&] { return running_ < at_once_ && batch.copying == 0; });
  batch.state = State::running;
  ++running_;
  lock.unlock();
  Status done = batch.slot->run(batch.contents);
  lock.lock();
  --running_;
  if (!done) batch.error = std::move(done).error();
  batch.state = State::done;
  changed_.notify_all();
}

void Batcher::leave(Batch& batch) {
  if (--batch.users > 0) return;
  batch.state = State::free;
  changed_.notify_all();
}

}  // namespace tdz::cuda
