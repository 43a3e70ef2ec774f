// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP end the program in order: a stop is requested, unfinished results are removed,
// and the program dies of the signal, so that the shell sees the cause. If this takes too long (a reader that
// sleeps, a chunk of 1 GiB at level 22), or if a second signal comes, `last_action` runs and the program dies
// at once.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "app/files/fd.hpp"

namespace tdz::app {

/// Milliseconds, for a poll that ends only with an event.
inline constexpr int kForever = -1;

/// Wakes every poll, once and permanently: a pipe whose writing end gets closed. Closing cannot fail; writing
/// can.
class Latch {
 public:
  Latch();
  int fd() const { return reading_.get(); }
  void release() { writing_.close(); }

 private:
  Fd reading_;
  Fd writing_;
};

/// One in a program. Create it before any other thread, because threads inherit its signal mask.
class Interrupts {
 public:
  explicit Interrupts(std::function<void()> last_action);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool requested() const { return stop_.stop_requested(); }
  /// How long a stop may take before the program dies at once. The default is half a second.
  void be_patient(std::chrono::milliseconds time) { grace_ms_ = static_cast<int>(time.count()); }
  /// For poll: readable as soon as a stop is requested.
  int wake_fd() const { return wake_.fd(); }

  /// Call it when nobody reads the output any more. If SIGPIPE would kill the program, it requests a stop and
  /// returns true: the program ends silently, as zstd does, but cleans up first. If the program was started
  /// with SIGPIPE ignored, it returns false.
  bool closed_pipe();

  /// Dies of the signal that was caught; returns if there was none.
  void die_if_requested() const;

 private:
  enum class Event : unsigned char { quit, signal, timeout };

  bool start_watcher();
  void watch();
  void request(int signal);
  Event next_event(int milliseconds);

  std::function<void()> last_action_;
  bool pipe_kills_ = false;
  std::atomic<int> signal_ = 0;
  // Long enough to finish a chunk at usual levels, short enough that nobody presses Ctrl-C twice.
  std::atomic<int> grace_ms_ = 500;
  std::stop_source stop_;
  Fd signals_;  // of open_signals
  Latch wake_;
  Latch quit_;  // ends the watcher
  std::thread watcher_;
};

}  // namespace tdz::app
