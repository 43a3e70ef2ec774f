// SPDX-License-Identifier: Apache-2.0
// Carries out a plan.
#pragma once

#include <functional>
#include <stop_token>

#include "app/bench/plan.hpp"
#include "app/bench/results.hpp"

namespace tdz::app::bench {

struct Hooks {
  std::stop_token stop;
  /// The first `bytes` bytes of a subject that is a file.
  std::function<Result<std::vector<std::byte>>(const Subject&)> load;
  /// Cells done so far.
  std::function<void(std::size_t)> progress;
};

/// What was measured, and how it ended.
struct Outcome {
  Report report;
  Status end = ok();
};

/// Measures the plan, cell by cell. After a stop request or an error it returns what was measured so far,
/// marked as incomplete. Pins the process to one processor. Errors: limit (not enough memory), and every
/// error before the first cell was measured.
Result<Outcome> carry_out(const Plan& plan, const Hooks& hooks);

}  // namespace tdz::app::bench
