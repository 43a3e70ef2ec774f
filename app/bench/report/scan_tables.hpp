// SPDX-License-Identifier: Apache-2.0
// Kernels alone as tables for a terminal: grids of order x tuple, and speeds over lengths. Pure.
#pragma once

#include "app/bench/results.hpp"
#include "app/bench/report/text_table.hpp"

namespace tdz::app::bench {

/// GB/s and the share of memcpy in every cell; the limit above. Empty if there is none.
std::string scan_tables(const std::vector<ScanResult>& scans, Colours colours);
/// GB/s of every scan at every length.
std::string curve_tables(const std::vector<ScanResult>& curves, Colours colours);

/// What is said above a grid: "limit 3.02 TB/s, bandwidth binds; with copies 24.0 GB/s", or the ranges of
/// both, and in how many cells each term binds. Empty if nothing is known.
std::string grid_notes(const std::vector<const ScanResult*>& cells);

}  // namespace tdz::app::bench
