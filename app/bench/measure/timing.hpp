// SPDX-License-Identifier: Apache-2.0
// Repeated runs, timed. Every run's result is checked, outside the time.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/results.hpp"
#include "formats/error.hpp"

namespace tdz::app::bench {

/// How long and how often one piece of work is repeated: at least once, whatever the time.
struct Repeats {
  double seconds = 0;
  unsigned most = 25;
};

/// Precondition: not empty.
Timing timing_of(std::vector<double> seconds);

/// Work that can fail, and a look at what came out: empty, or what is wrong with it.
using Work = std::function<Status()>;
using Check = std::function<std::string()>;
/// What is done before each run, outside the time: outputs are made wrong, so that only what was written can
/// be right.
using Prepare = std::function<void()>;

/// A piece of work, timed; `fault` of the first run whose result was wrong.
struct Timed {
  Timing timing;
  std::string fault;
};
/// Runs once to warm up, then as `repeats` says, and checks every time. A fault ends it. Errors: the work's;
/// cancelled.
Result<Timed> timed(
    const Repeats& repeats, const std::stop_token& stop, const Work& work, const Check& check,
    const Prepare& prepare = [] {});

/// Shares out the time of a report among all the pieces of work in it. What a piece does not use, the later
/// ones get.
class Pacer {
 public:
  /// `seconds` for `pieces` pieces, from now on.
  Pacer(double seconds, std::size_t pieces);
  /// The next piece's share.
  Repeats next();

 private:
  double end_;
  std::size_t left_;
};

/// Seconds since some moment; it never goes back.
double now();

}  // namespace tdz::app::bench
