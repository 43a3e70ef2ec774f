// SPDX-License-Identifier: Apache-2.0
// The results of a report, grouped as tables show them: grids of order x tuple, and curves over lengths. The
// groups point into the report, which must outlive them. Pure functions. page.html groups in the same way.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Results that differ only in order and tuple, at most one for each pair. Never empty.
struct ScanGrid {
  std::map<std::pair<std::uint8_t, std::uint32_t>, const ScanResult*> cells;
  const ScanResult* first = nullptr;  ///< the first in the report; it has the fields that all share
  std::vector<std::uint8_t> orders;  ///< ascending, like the tuples
  std::vector<std::uint32_t> tuples;

  /// Null where nothing was measured.
  const ScanResult* at(std::uint8_t order, std::uint32_t tuple) const {
    const auto found = cells.find({order, tuple});
    return found == cells.end() ? nullptr : found->second;
  }
};

/// In the order of their first results in the report.
std::vector<ScanGrid> scan_grids(const std::vector<ScanResult>& scans);

/// One scan over lengths, ascending.
struct CurveLine {
  std::string scan;
  std::vector<const ScanResult*> points;
};

/// Scans of the same numbers. Never empty.
struct CurvePanel {
  std::vector<CurveLine> lines;
  const ScanResult* first = nullptr;

  /// The speed of memcpy at each length: the median of the measurements beside the scans.
  std::map<std::uint64_t, double> copy_speeds() const;
};

std::vector<CurvePanel> curve_panels(const std::vector<ScanResult>& curves);

}  // namespace tdz::app::bench
