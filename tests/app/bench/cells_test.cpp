// SPDX-License-Identifier: Apache-2.0
// Is every result in one grid, and every point in one curve?
#include "app/bench/report/tables.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app::bench;

TEST_CASE("every scan is in one grid") {
  const Report report = full_report();
  std::set<const ScanResult*> seen;
  for (const ScanGrid& grid : scan_grids(report.scans)) {
    for (const auto& [where, scan] : grid.cells) {
      CHECK(seen.insert(scan).second);
      CHECK(scan->coding.order == where.first);
      CHECK(scan->coding.tuple == where.second);
      CHECK(scan->coding.word == grid.first->coding.word);
      CHECK(scan->backend == grid.first->backend);
    }
  }
  CHECK(seen.size() == report.scans.size());
}

TEST_CASE("order 0 has no zigzag, and is in the grid of the other orders") {
  const Report report = small_report();
  const auto grids = scan_grids(report.scans);
  REQUIRE(grids.size() == 1);
  CHECK(grids[0].orders == std::vector<std::uint8_t>{0, 1, 2, 3, 4});
  CHECK(grids[0].tuples == std::vector<std::uint32_t>{2});
}

TEST_CASE("packed groups have grids and panels of their own, beside interleaved words") {
  ScanResult scan;
  std::vector<ScanResult> scans(2, scan);
  scans[1].coding.packed = true;
  CHECK(scan_grids(scans).size() == 2);
  CHECK(curve_panels(scans).size() == 2);
}

TEST_CASE("if a result exists twice, both are kept") {
  Report report = small_report();
  report.scans.push_back(report.scans[1]);
  const auto grids = scan_grids(report.scans);
  REQUIRE(grids.size() == 2);
  CHECK(grids[1].first == &report.scans.back());
}

TEST_CASE("scans stay in one grid if only rounding to whole records changed their lengths") {
  Report report = small_report();
  report.scans[1].bytes -= 100;
  report.scans[1].chunk_bytes -= 100;
  CHECK(scan_grids(report.scans).size() == 1);
  report.scans[2].bytes /= 2;
  CHECK(scan_grids(report.scans).size() == 2);
}

TEST_CASE("curves ascend, and memcpy is the median of its measurements at a length") {
  Report report = full_report();
  std::swap(report.curves[0], report.curves[5]);
  const auto panels = curve_panels(report.curves);
  CHECK(panels.size() == 12);
  std::size_t points = 0;
  for (const CurvePanel& panel : panels) {
    for (const CurveLine& line : panel.lines) {
      points += line.points.size();
      for (std::size_t i = 1; i < line.points.size(); ++i)
        CHECK(line.points[i - 1]->bytes < line.points[i]->bytes);
    }
  }
  CHECK(points == report.curves.size());
  report.curves.resize(0);
  for (const double seconds : {1.0, 5.0, 2.0}) {
    ScanResult point;
    point.scan = std::to_string(seconds);
    point.bytes = 100;
    point.copy.median = seconds;
    report.curves.push_back(point);
  }
  CHECK(curve_panels(report.curves)[0].copy_speeds().at(100) == 50);
}
