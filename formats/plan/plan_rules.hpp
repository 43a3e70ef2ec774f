// SPDX-License-Identifier: Apache-2.0
// What a plan must keep: the rules of FORMAT.md, sections 3 and 6, in one place for readers and callers.
// Pure functions, thread-safe.
#pragma once

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// The number of columns, and the coding.
Flaw flaw_of_counts(std::size_t columns, Coding coding);
/// Width, count and number of steps.
Flaw flaw_of_head(const Column& column, std::size_t steps);
/// The parameters of a step in a column of this width.
Flaw flaw_of_step(const PlanStep& step, unsigned width);
/// The row, then for each column the rules that hold for all of its steps together.
Flaw flaw_of_columns(const Plan& plan);

/// For callers that make a plan. Error usage: no file may hold such a plan.
Status check(const Plan& plan);

}  // namespace tdz::formats
