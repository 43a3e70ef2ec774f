// SPDX-License-Identifier: Apache-2.0
// The raw numbers as tables that the page's script sorts. Pure.
#pragma once

#include <string>

#include "app/bench/report.hpp"

namespace tdz::app::bench {

/// A table for plain zstd, the codec, the scans and the curves, as far as there are results; long ones folded
/// away.
std::string raw_tables(const Report& report);

}  // namespace tdz::app::bench
