// SPDX-License-Identifier: Apache-2.0
// Reads events in a thread of its own, before anyone asks for them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

#include "codec/stream/stream_events.hpp"

namespace tdz {

/// For readers that leave frames in the file.
class EventsAhead {
 public:
  struct Event {
    Result<StreamEvent> event;
    std::uint64_t position;  ///< of the reader behind it
  };

  /// The reader lives longer, and is nobody else's meanwhile. At most about `memory` bytes of records wait. Throws
  /// std::system_error if there is no thread.
  EventsAhead(EventReader& reader, std::uint64_t memory);
  ~EventsAhead();
  EventsAhead(const EventsAhead&) = delete;
  EventsAhead& operator=(const EventsAhead&) = delete;

  /// As EventReader::next(). For one thread at a time.
  Event next();

 private:
  void read();
  bool put(Event event);

  EventReader& reader_;
  const std::uint64_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::uint64_t memory_ = 0;  ///< of events_
  bool stopped_ = false;
  bool ended_ = false;  ///< nothing comes behind events_
  std::jthread thread_;  // the last one: it uses all others
};

}  // namespace tdz
