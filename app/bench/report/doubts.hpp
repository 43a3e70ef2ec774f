// SPDX-License-Identifier: Apache-2.0
// Which figures of a report cannot be trusted, and why. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// The figures that are doubtful: a spread above a quarter, a speed that is 1.1 times what bounds it, a stage
/// that takes 1.1 times as long as the whole, a whole that takes 3 times as long as its stages, and processor
/// time that other programs took. A sentence for each kind, with the number of cells and the worst of them.
std::vector<std::string> doubts(const Report& report);

}  // namespace tdz::app::bench
