// SPDX-License-Identifier: Apache-2.0
// Plans as people read them. Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// "difference(2, 1)", "scale(1)", "lanes(3)", "predict(1)", "tokens(1, 3, 1)": names as in FORMAT.md.
std::string step_name(const PlanStep& step);
/// "difference(2, 1), zigzag, tuple-planes(2)", or "none".
std::string steps_name(const Column& column);
/// "16-bit words: difference(2, 1), zigzag"; with several columns "64-bit words: planes; 5 32-bit words:
/// none".
std::string plan_name(const Plan& plan);

/// A plan in words, for people who do not know the names of steps. A line for each column: "column 2, f32:
/// multiples of 1/100, 0.3 % holes; difference of order 1 to the number before; zigzag; byte shuffle".
/// `holes`: the share of holes of each column, or empty.
std::vector<std::string> plan_words(const Plan& plan, std::span<const double> holes);

}  // namespace tdz::formats
