// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/scan_tables.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

#include "app/bench/report/cells.hpp"
#include "app/bench/report/figures.hpp"
#include "app/bench/report/heat.hpp"
#include "app/options/names.hpp"
#include "app/options/sizes.hpp"

namespace tdz::app::bench {
namespace {

constexpr Scale kShares{0, 1};

double limit_speed(const ScanResult& scan) {
  return scan.limit.seconds() > 0 ? static_cast<double>(scan.bytes) / scan.limit.seconds() : 0;
}

/// A letter where another term than bandwidth binds.
std::string_view bound_mark(const Limit& limit) {
  if (limit.seconds() <= 0 || limit.binding() == "bandwidth") return " ";
  return limit.binding() == "latency" ? "l" : "r";
}

TextCell cell_of(const ScanResult* scan) {
  if (scan == nullptr) return {"", {}, false};
  if (!scan->fault.empty()) return {"WRONG ", {}, true};
  if (scan->kernel.median <= 0) return {"- ", {}, false};
  const std::string share = percent_text(scan->share());
  return {fmt::format("{} {:>3}%{}", giga_text(scan->kernel.bytes_per_second(scan->bytes)), share,
                      bound_mark(scan->limit)),
          heat_step(scan->share(), kShares), false};
}

TextTable grid_table(const ScanGrid& grid) {
  TextTable table{.head = {"order"}, .keys = 1, .rows = {}};
  for (const std::uint32_t tuple : grid.tuples) table.head.push_back(fmt::format("tuple {} ", tuple));
  for (const std::uint8_t order : grid.orders) {
    std::vector<TextCell> row{{fmt::format("{}", order)}};
    for (const std::uint32_t tuple : grid.tuples) row.push_back(cell_of(grid.at(order, tuple)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string grid_text(const ScanGrid& grid, Colours colours) {
  std::vector<const ScanResult*> cells;
  for (const auto& [where, cell] : grid.cells) cells.push_back(cell);
  const std::string notes = grid_notes(cells);
  return strong(clipped(scan_title(*grid.first), kTableWidth), colours) + "\n" +
         (notes.empty() ? "" : wrapped("  " + notes, 2)) + text_table(grid_table(grid), colours);
}

std::string panel_title(const ScanResult& scan) {
  return fmt::format("{}: {}, {}, {}-bit words, {}, order {}, tuple {}; GB/s", printable(scan.backend),
                     direction_name(scan.direction), scan.shape == Shape::chain ? "one chain" : "chunks",
                     scan.coding.word * 8, formats::layout_name(scan.coding.layout), scan.coding.order,
                     scan.coding.tuple);
}

std::vector<std::uint64_t> lengths_of(const CurvePanel& panel) {
  std::vector<std::uint64_t> lengths;
  for (const CurveLine& line : panel.lines)
    for (const ScanResult* point : line.points) lengths.push_back(point->bytes);
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

TextCell point_cell(const CurveLine& line, std::uint64_t bytes) {
  const auto at = std::ranges::find(line.points, bytes, [](const ScanResult* point) { return point->bytes; });
  if (at == line.points.end()) return {};
  if (!(*at)->fault.empty()) return {"WRONG", {}, true};
  const double speed = (*at)->kernel.bytes_per_second(bytes);
  if (speed <= 0) return {"-", {}, false};
  return {giga_text(speed), heat_step((*at)->share(), kShares), false};
}

std::string panel_text(const CurvePanel& panel, Colours colours) {
  const auto copies = panel.copy_speeds();
  TextTable table{.head = {"bytes", "memcpy"}, .keys = 1, .rows = {}};
  for (const CurveLine& line : panel.lines) table.head.push_back(printable(line.scan));
  for (const std::uint64_t bytes : lengths_of(panel)) {
    const double copy = copies.contains(bytes) ? copies.at(bytes) : 0;
    std::vector<TextCell> row{{format_size(bytes)}, {giga_text(copy)}};
    for (const CurveLine& line : panel.lines) row.push_back(point_cell(line, bytes));
    table.rows.push_back(std::move(row));
  }
  return strong(clipped(panel_title(*panel.first), kTableWidth), colours) + "\n" + text_table(table, colours);
}

constexpr Scale kNothing{std::numeric_limits<double>::infinity(), 0};  // to be widened

/// "3.02 TB/s", "2.10 TB/s to 3.02 TB/s".
std::string range_text(const Scale& speeds) {
  const std::string least = speed_text(speeds.least), most = speed_text(speeds.most);
  return least == most ? least : least + " to " + most;
}

std::string limit_note(const std::vector<const ScanResult*>& cells) {
  Scale speeds = kNothing;
  std::map<std::string_view, std::size_t> binds;
  for (const ScanResult* cell : cells) {
    if (cell->limit.seconds() <= 0) continue;
    widen(speeds, limit_speed(*cell));
    ++binds[cell->limit.binding()];
  }
  if (binds.empty()) return "";
  std::string text = "limit " + range_text(speeds);
  if (binds.size() == 1) return text + fmt::format(", {} binds", binds.begin()->first);
  for (const auto& [term, count] : binds)
    text += fmt::format(", {} {}in {} of {} cells", term, term == binds.begin()->first ? "binds " : "", count,
                        cells.size());
  return text;
}

std::string copies_note(const std::vector<const ScanResult*>& cells) {
  Scale speeds = kNothing;
  for (const ScanResult* cell : cells)
    if (cell->with_copies) widen(speeds, cell->with_copies->bytes_per_second(cell->bytes));
  return speeds.most > 0 ? "with copies " + range_text(speeds) : "";
}

template <class Groups, class Text>
std::string joined(const Groups& groups, Text text) {
  std::string all;
  for (const auto& group : groups) all += (all.empty() ? "" : "\n") + text(group);
  return all;
}

}  // namespace

std::string grid_notes(const std::vector<const ScanResult*>& cells) {
  std::string text = limit_note(cells);
  const std::string copies = copies_note(cells);
  return text + (text.empty() || copies.empty() ? "" : "; ") + copies;
}

std::string scan_tables(const std::vector<ScanResult>& scans, Colours colours) {
  return joined(scan_grids(scans), [&](const ScanGrid& grid) { return grid_text(grid, colours); });
}

std::string curve_tables(const std::vector<ScanResult>& curves, Colours colours) {
  return joined(curve_panels(curves), [&](const CurvePanel& panel) { return panel_text(panel, colours); });
}

}  // namespace tdz::app::bench
