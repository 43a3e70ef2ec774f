// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and its kin end the program in order: a stop is requested, what was begun is cleaned up, and the
// program dies of the signal, so that a shell sees what happened. If that takes too long (a reader that
// sleeps, a chunk of 1 GiB at level 22), or the signal comes twice, `last_act` runs and the program dies at
// once.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>

#include "app/files/fd.hpp"

namespace tdz::app {

/// Wakes whoever polls, once and for good: a pipe whose writing end is closed. Closing cannot fail, writing
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

/// One in a program, made before any other thread: they inherit its signal mask.
class Interrupts {
 public:
  explicit Interrupts(std::function<void()> last_act);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  bool requested() const { return stop_.stop_requested(); }
  /// How long a stop may take before the program dies at once; at first half a second.
  void be_patient(std::chrono::milliseconds time) { patience_ = static_cast<int>(time.count()); }
  /// For poll: readable once a stop is requested.
  int wake_fd() const { return wake_.fd(); }

  /// Nobody reads the output any more. Where SIGPIPE would kill, a stop is requested and true is returned:
  /// the program ends as silently as zstd does, but cleans up before. Where the caller of the program ignores
  /// SIGPIPE, false.
  bool closed_pipe();

  /// Dies of the signal that was caught; returns if there was none.
  void die_if_requested() const;

 private:
  enum class Event : unsigned char { quit, signal, time_is_over };

  bool start_watcher();
  void watch();
  void request(int signal);
  Event next_event(int milliseconds);

  std::function<void()> last_act_;
  bool pipe_kills_ = false;
  std::atomic<int> signal_ = 0;
  // Long enough to finish a chunk at usual levels, short enough that nobody presses Ctrl-C twice.
  std::atomic<int> patience_ = 500;  // milliseconds
  std::stop_source stop_;
  Fd arrivals_;  // signalfd
  Latch wake_;
  Latch quit_;  // ends the watcher
  std::thread watcher_;
};

}  // namespace tdz::app
