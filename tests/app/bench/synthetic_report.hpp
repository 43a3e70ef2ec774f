// SPDX-License-Identifier: Apache-2.0
// Reports that no run measured, for tests of what is made of them. The figures look like those of real
// machines.
#pragma once

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Everything that a report can hold: all words, both backends, several data sets with hostile names, faults,
/// figures that are missing, a run that was interrupted.
Report full_report();
/// As many scans and points of curves as the whole grid has on a GPU.
Report large_report();
/// What a run without ranges gives: one file, five orders, the CPU.
Report small_report();

/// No file is called worse.
inline constexpr auto kHostileName = "</script><script>alert(1)</script><b title='\"'>\n&\x1b[31m|*c*,\"\xff";

}  // namespace tdz::app::bench
