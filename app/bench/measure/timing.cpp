// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/timing.hpp"

#include <algorithm>
#include <chrono>

namespace tdz::app::bench {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Timing timing_of(std::vector<double> seconds) {
  const auto [least, most] = std::ranges::minmax(seconds);
  const auto runs = static_cast<unsigned>(seconds.size());
  return {median_of(std::move(seconds)), least, most, runs};
}

Result<Timed> timed(const Repeats& repeats, const std::stop_token& stop, const Work& work, const Check& check,
                    const Prepare& prepare) {
  std::vector<double> seconds;
  double spent = 0;
  for (bool warm = false;; warm = true) {
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped"};
    prepare();
    const double begin = now();
    if (auto done = work(); !done) return done.error();
    const double took = now() - begin;
    if (auto fault = check(); !fault.empty()) return Timed{{}, std::move(fault)};
    if (!warm) continue;
    seconds.push_back(took);
    spent += took;
    if (spent >= repeats.seconds || seconds.size() >= repeats.most)
      return Timed{timing_of(std::move(seconds)), {}};
  }
}

Pacer::Pacer(double seconds, std::size_t pieces) : end_(now() + seconds), left_(pieces) {}

Repeats Pacer::next() {
  const double rest = std::max(end_ - now(), 0.0);
  const Repeats share{left_ > 0 ? rest / static_cast<double>(left_) : 0.0};
  if (left_ > 0) --left_;
  return {share.seconds / 2};  // warming up, checking and preparing take the other half
}

}  // namespace tdz::app::bench
