// SPDX-License-Identifier: Apache-2.0
// Speed over length, both logarithmic: a panel for each coding, a line for each scan, memcpy as what to
// reach. Pure.
#pragma once

#include <string>

#include "app/bench/report.hpp"

namespace tdz::app::bench {

/// Empty if there are none.
std::string curve_figures(const Report& report);

}  // namespace tdz::app::bench
