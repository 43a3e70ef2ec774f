// SPDX-License-Identifier: Apache-2.0
// Where the codec's time goes: for each cell the stages stacked, and a mark where the whole way took its
// time. Pure.
#pragma once

#include <string>

#include "app/bench/report.hpp"

namespace tdz::app::bench {

/// Empty if there are no cells.
std::string stage_bars(const Report& report);

}  // namespace tdz::app::bench
