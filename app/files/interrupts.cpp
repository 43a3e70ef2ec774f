// SPDX-License-Identifier: Apache-2.0
#include "app/files/interrupts.hpp"

#include <poll.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "app/files/system_calls.hpp"

namespace tdz::app {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// A signal that nohup or a shell's & ignores stays ignored. It must not be in the set, because signalfd also
/// gets blocked signals that are ignored, and a handler would end that.
sigset_t signals_to_catch() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

/// Ends the program as if the signal had never been caught.
void die_of(int signal) {
  ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal);
}

}  // namespace

Latch::Latch() {
  auto ends = open_pipe();
  reading_ = std::move(ends[0]);
  writing_ = std::move(ends[1]);
}

Interrupts::Interrupts(std::function<void()> last_action) : last_action_(std::move(last_action)) {
  pipe_kills_ = !is_ignored(SIGPIPE);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a write beyond `ulimit -f` fails instead
  const sigset_t caught = signals_to_catch();
  signals_ = open_signals(caught);
  // Without a watcher nobody would read the signals, so they must kill again.
  if (!start_watcher()) pthread_sigmask(SIG_UNBLOCK, &caught, nullptr);
}

bool Interrupts::start_watcher() {
  if (!signals_ || wake_.fd() < 0 || quit_.fd() < 0) return false;
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

Interrupts::~Interrupts() {
  quit_.release();
  if (watcher_.joinable()) watcher_.join();
}

void Interrupts::watch() {
  receive_signals();
  if (next_event(kForever) != Event::signal) return;
  if (next_event(grace_ms_) == Event::quit) return;
  last_action_();
  die_if_requested();
}

Interrupts::Event Interrupts::next_event(int milliseconds) {
  std::array<pollfd, 2> waiting = {{{quit_.fd(), POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
  int ready = 0;
  do {
    ready = poll(waiting.data(), waiting.size(), milliseconds);
  } while (ready < 0 && errno == EINTR);
  if (waiting[0].revents != 0) return Event::quit;
  const int signal = ready > 0 ? next_signal(signals_.get()) : 0;
  if (signal == 0) return Event::timeout;
  request(signal);
  return Event::signal;
}

bool Interrupts::closed_pipe() {
  if (!pipe_kills_) return false;
  request(SIGPIPE);
  return true;
}

void Interrupts::die_if_requested() const {
  if (const int signal = signal_; signal != 0) die_of(signal);
}

void Interrupts::request(int signal) {
  int none = 0;
  if (!signal_.compare_exchange_strong(none, signal)) return;
  stop_.request_stop();
  wake_.release();
}

}  // namespace tdz::app
