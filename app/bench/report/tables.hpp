// SPDX-License-Identifier: Apache-2.0
// Which tables a report has. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "app/bench/report/table.hpp"
#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// A table for each data set: memcpy, plain zstd, every cell.
Section codec_section(const Report& report);
/// Grids of order and tuple: GB/s and the share of memcpy in every cell, the limit in the note.
Section scan_section(const Report& report);
/// GB/s of every scan at every length.
Section curve_section(const Report& report);

/// All results as one table, a row for each. No text in it is a formula of a spreadsheet. A column's name is
/// the path of its field in the JSON.
Table flat_table(const Report& report);

}  // namespace tdz::app::bench
