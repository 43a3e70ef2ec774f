// SPDX-License-Identifier: Apache-2.0
// A plan carried out.
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

/// Measures what is planned, cell by cell. A stop request or an error ends it with what was measured so far,
/// marked incomplete. Pins the process to one processor.
/// Errors: limit (more memory than there is), and whatever came before anything was measured.
Result<Outcome> carry_out(const Plan& plan, const Hooks& hooks);

}  // namespace tdz::app::bench
