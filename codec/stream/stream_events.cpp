// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_events.hpp"

#include <utility>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"

namespace tdz {
namespace {

std::uint64_t memory_of(const EventsAhead::Event& event) {
  const auto* chunk = event.event ? std::get_if<StoredChunk>(&*event.event) : nullptr;
  return sizeof(event) + (chunk != nullptr ? record_memory(chunk->chunk) : 0);
}

bool is_last(const EventsAhead::Event& event) {
  return !event.event || std::holds_alternative<EndOfInput>(*event.event);
}

}  // namespace

EventsAhead::EventsAhead(EventReader& reader, std::uint64_t memory)
    : reader_(reader), most_(memory), thread_([this] { read(); }) {}

EventsAhead::~EventsAhead() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void EventsAhead::read() {
  static_cast<void>(guarded([this] {
    Buffer none;
    for (bool more = true; more;) {
      auto event = reader_.next(none);
      more = put({std::move(event), reader_.position()});
    }
    return ok();
  }));
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

/// False if nobody wants the event after this one.
bool EventsAhead::put(Event event) {
  const bool last = is_last(event);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopped_ || events_.empty() || memory_ < most_; });
  memory_ += memory_of(event);
  events_.push_back(std::move(event));
  changed_.notify_all();
  return !last && !stopped_;
}

EventsAhead::Event EventsAhead::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !events_.empty(); });
  if (events_.empty()) return {out_of_memory(), 0};
  Event event = std::move(events_.front());
  events_.pop_front();
  memory_ -= memory_of(event);
  changed_.notify_all();
  return event;
}

}  // namespace tdz
