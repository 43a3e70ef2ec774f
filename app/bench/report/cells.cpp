// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/cells.hpp"

#include <algorithm>
#include <tuple>

namespace tdz::app::bench {
namespace {

/// The fields that all cells of a grid share. Zigzag is not one of them: order 0 has none, higher orders have
/// it.
auto family(const ScanResult& scan) {
  return std::tie(scan.backend, scan.scan, scan.direction, scan.shape, scan.coding.word, scan.coding.layout,
                  scan.coding.big_endian);
}

/// Lengths are rounded to whole records. They differ a little from tuple to tuple.
bool nearly(std::uint64_t a, std::uint64_t b) {
  return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 16;
}

bool together(const ScanResult& a, const ScanResult& b) {
  return family(a) == family(b) && nearly(a.bytes, b.bytes) && nearly(a.chunk_bytes, b.chunk_bytes);
}

auto panel_of(const ScanResult& scan) {
  return std::tie(scan.backend, scan.direction, scan.shape, scan.coding.word, scan.coding.layout,
                  scan.coding.big_endian, scan.coding.order, scan.coding.tuple);
}

template <class Value>
void insert_sorted(std::vector<Value>& list, Value value) {
  const auto at = std::ranges::lower_bound(list, value);
  if (at == list.end() || *at != value) list.insert(at, value);
}

/// If a pair of order and tuple is there twice, the second begins another grid, so that no result is lost.
void insert(std::vector<ScanGrid>& grids, const ScanResult& result) {
  const Coding& coding = result.coding;
  const auto takes = [&](const ScanGrid& grid) {
    return together(*grid.first, result) && grid.at(coding.order, coding.tuple) == nullptr;
  };
  auto grid = std::ranges::find_if(grids, takes);
  if (grid == grids.end())
    grid = grids.insert(grid, {.cells = {}, .first = &result, .orders = {}, .tuples = {}});
  grid->cells[{coding.order, coding.tuple}] = &result;
  insert_sorted(grid->orders, coding.order);
  insert_sorted(grid->tuples, coding.tuple);
}

void insert(CurvePanel& panel, const ScanResult& point) {
  auto line = std::ranges::find(panel.lines, point.scan, &CurveLine::scan);
  if (line == panel.lines.end()) line = panel.lines.insert(line, {point.scan, {}});
  const auto at = std::ranges::upper_bound(line->points, point.bytes, {},
                                           [](const ScanResult* other) { return other->bytes; });
  line->points.insert(at, &point);
}

}  // namespace

std::vector<ScanGrid> scan_grids(const std::vector<ScanResult>& scans) {
  std::vector<ScanGrid> grids;
  for (const ScanResult& scan : scans) insert(grids, scan);
  return grids;
}

std::vector<CurvePanel> curve_panels(const std::vector<ScanResult>& curves) {
  std::vector<CurvePanel> panels;
  for (const ScanResult& point : curves) {
    auto panel = std::ranges::find_if(
        panels, [&](const CurvePanel& other) { return panel_of(*other.first) == panel_of(point); });
    if (panel == panels.end()) panel = panels.insert(panel, {.lines = {}, .first = &point});
    insert(*panel, point);
  }
  return panels;
}

std::map<std::uint64_t, double> CurvePanel::copy_speeds() const {
  std::map<std::uint64_t, std::vector<double>> all;
  for (const CurveLine& line : lines)
    for (const ScanResult* point : line.points)
      if (point->copy.median > 0) all[point->bytes].push_back(point->copy.bytes_per_second(point->bytes));
  std::map<std::uint64_t, double> medians;
  for (auto& [bytes, speeds] : all) medians[bytes] = median_of(std::move(speeds));
  return medians;
}

}  // namespace tdz::app::bench
