// SPDX-License-Identifier: Apache-2.0
// Reports with invented figures, for tests of the formats. The figures resemble those of real machines.
#pragma once

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Everything that a report can hold: all words, both backends, several data sets, hostile names, faults,
/// missing figures, an interrupted run.
Report full_report();
/// As many scans and points of curves as the whole grid has on a GPU.
Report large_report();
/// The report of a run without ranges: one file, five orders, the CPU.
Report small_report();

/// A name with everything that a format must escape.
inline constexpr auto kHostileName = "</script><script>alert(1)</script><b title='\"'>\n&\x1b[31m|*c*,\"\xff";

}  // namespace tdz::app::bench
