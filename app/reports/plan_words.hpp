// SPDX-License-Identifier: Apache-2.0
// A plan in words, for people who do not know the names of steps. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz::app {

/// A line for each column: "column 2, f32: multiples of 1/100, 0.3 % holes; difference of order 1 to the number
/// before; zigzag; byte shuffle". `holes`: the share of holes of each column, or empty.
std::vector<std::string> plan_words(const Plan& plan, std::span<const double> holes);

}  // namespace tdz::app
