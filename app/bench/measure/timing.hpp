// SPDX-License-Identifier: Apache-2.0
// Times repeated runs. The result of every run is checked; the check is not timed.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/results.hpp"
#include "formats/error.hpp"

namespace tdz::app::bench {

/// How long and how often one piece of work is repeated. It is always timed at least once.
struct Repeats {
  double seconds = 0;
  unsigned most = 25;
};

/// Precondition: not empty.
Timing timing_of(std::vector<double> seconds);

/// Work that can fail, and a check of its result: empty, or what is wrong with it.
using Work = std::function<Status()>;
using Check = std::function<std::string()>;
/// Runs before each timed run. It overwrites the output with wrong bytes, so that only bytes that the run
/// wrote can be right.
using Prepare = std::function<void()>;

/// A piece of work, timed. `fault` is that of the first wrong run.
struct Timed {
  Timing timing;
  std::string fault;
};
/// Runs the work once to warm up, then as often as `repeats` says, and checks every run. A fault ends it.
/// Errors: those of the work; cancelled.
Result<Timed> timed(
    const Repeats& repeats, const std::stop_token& stop, const Work& work, const Check& check,
    const Prepare& prepare = [] {});

/// Divides the time of a report among its pieces of work. Later pieces get the time that earlier ones did not
/// use.
class Pacer {
 public:
  /// `seconds` for `pieces` pieces. The time begins now.
  Pacer(double seconds, std::size_t pieces);
  /// The next piece's share.
  Repeats next();

 private:
  double end_;
  std::size_t left_;
};

/// Seconds of a clock that never goes back.
double now();

}  // namespace tdz::app::bench
