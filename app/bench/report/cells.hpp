// SPDX-License-Identifier: Apache-2.0
// The results of a report, grouped as tables and pictures show them: grids of order x tuple, and curves over
// lengths. The groups point into the report, which must outlive them. Pure functions.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

/// Results that differ in order and tuple alone, at most one for each pair of both. Never empty.
template <class Result>
struct CellGrid {
  std::map<std::pair<std::uint8_t, std::uint32_t>, const Result*> cells;
  const Result* first = nullptr;     ///< in the report's order; it tells what all have in common
  std::vector<std::uint8_t> orders;  ///< ascending, as are the tuples
  std::vector<std::uint32_t> tuples;

  /// Null where nothing was measured.
  const Result* at(std::uint8_t order, std::uint32_t tuple) const {
    const auto found = cells.find({order, tuple});
    return found == cells.end() ? nullptr : found->second;
  }
};

using ScanGrid = CellGrid<ScanResult>;
using CodecGrid = CellGrid<CodecResult>;

/// In the order in which the report first speaks of them.
std::vector<ScanGrid> scan_grids(const std::vector<ScanResult>& scans);
/// Those of one data set.
std::vector<CodecGrid> codec_grids(const Report& report, std::size_t data);

/// One scan over lengths, ascending.
struct CurveLine {
  std::string scan;
  std::vector<const ScanResult*> points;
};

/// Scans of the same numbers. Never empty.
struct CurvePanel {
  std::vector<CurveLine> lines;
  const ScanResult* first = nullptr;

  /// The speed of memcpy at each length: the median of what was measured beside the scans.
  std::map<std::uint64_t, double> copy_speeds() const;
  /// What the model allows at each length; where scans have limits of their own, the highest.
  std::map<std::uint64_t, double> limit_speeds() const;
};

std::vector<CurvePanel> curve_panels(const std::vector<ScanResult>& curves);

}  // namespace tdz::app::bench
