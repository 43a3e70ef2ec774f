// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/tables.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "app/bench/report/figures.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {

// ---- The whole codec

namespace {

using Row = std::vector<Cell>;
constexpr std::size_t kKeys = 5;    // type, order, layout, level, backend
constexpr std::size_t kHeated = 3;  // ratio, compress, decompress
constexpr std::size_t kSpread = kKeys + kHeated;
constexpr double kNoisy = 0.005;  // a spread below this is shown as 0

constexpr auto kNote =
    "The whole codec in memory, one thread: ratio; MB/s of compress and restore (comp, deco); half their "
    "spread in %; MB/s of each stage alone: difference, integrate, zstd in both directions (pack, unpack), "
    "digest, copies to and from the device.";

const std::vector<Column> kColumns{{"type"},
                                   {"ord", "order"},
                                   {"layout"},
                                   {"lvl", "level"},
                                   {"by"},
                                   {"ratio"},
                                   {"comp", "compress MB/s"},
                                   {"deco", "restore MB/s"},
                                   {"+/-%"},
                                   {"diff"},
                                   {"integ"},
                                   {"pack"},
                                   {"unpack"},
                                   {"dig"}};
/// Without the stages: type, layout, backend, order, level, ratio, compress, restore.
const std::vector<std::size_t> kBrief{0, 2, 4, 1, 3, 5, 6, 7};

/// The larger spread of the two directions. A single run has none.
std::string spread(const Timing& compress, const Timing& decompress) {
  double widest = -1;
  for (const Timing* time : {&compress, &decompress})
    if (time->has_spread()) widest = std::max(widest, time->spread());
  if (widest < 0) return "-";
  return widest < kNoisy ? "0" : percent_text(widest);
}

std::string mega(const Timing& time, std::uint64_t bytes) {
  return mega_text(time.bytes_per_second(bytes));
}

std::string mega(const std::optional<Timing>& time, std::uint64_t bytes) {
  return time ? mega(*time, bytes) : "";
}

Row row_of(const CodecResult& cell, const NumberType& type, bool copies) {
  const Stages& stages = cell.stages;
  const auto speed = [&](const auto& time) { return Cell{mega(time, cell.bytes)}; };
  const bool wrong = !cell.fault.empty(), no_steps = formats::column_of(cell.coding).steps.empty();
  Row row{{coding_type(cell.coding, type)},
          {fmt::format("{}", cell.coding.order)},
          {std::string(formats::layout_name(cell.coding))},
          {fmt::format("{}", cell.level)},
          {cell.backend},
          {wrong ? "WRONG" : ratio_figure(cell.ratio()), {}, wrong},
          speed(cell.compress),
          speed(cell.decompress),
          {spread(cell.compress, cell.decompress)},
          no_steps ? Cell{} : speed(stages.difference),
          no_steps ? Cell{} : speed(stages.integrate),
          speed(stages.pack),
          speed(stages.unpack),
          speed(stages.digest)};
  if (copies) row.insert(row.end(), {speed(stages.to_device), speed(stages.from_device)});
  return row;
}

Row row_of(const RawResult& raw, std::size_t columns) {
  Row row(columns);
  row[0] = {.text = "zstd", .brief = "plain zstd"};
  row[3].text = fmt::format("{}", raw.level);
  row[kKeys].text = ratio_figure(raw.ratio());
  row[kKeys + 1].text = mega(raw.compress, raw.bytes);
  row[kKeys + 2].text = mega(raw.decompress, raw.bytes);
  row[kSpread].text = spread(raw.compress, raw.decompress);
  return row;
}

/// memcpy was timed beside every cell. This is the median.
Row copy_row(const std::vector<const CodecResult*>& cells, std::size_t columns) {
  std::vector<double> speeds;
  for (const CodecResult* cell : cells) {
    if (cell->copy.median > 0) speeds.push_back(cell->copy.bytes_per_second(cell->bytes));
  }
  Row row(columns);
  row[0].text = "memcpy";
  row[kKeys + 1].text = row[kKeys + 2].text = mega_text(speeds.empty() ? 0 : median_of(std::move(speeds)));
  return row;
}

double heated(const CodecResult& cell, std::size_t column) {
  if (column == 0) return cell.ratio();
  return (column == 1 ? cell.compress : cell.decompress).bytes_per_second(cell.bytes);
}

void paint(std::vector<Row>& rows, const std::vector<const CodecResult*>& cells) {
  for (std::size_t column = 0; column < kHeated; ++column) {
    Scale scale{std::numeric_limits<double>::infinity(), 0};
    for (const CodecResult* cell : cells) widen(scale, heated(*cell, column));
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (const double value = heated(*cells[i], column); value > 0)
        rows[rows.size() - cells.size() + i][kKeys + column].step = heat_step(value, scale);
  }
}

bool has_copies(const CodecResult* cell) {
  return cell->stages.to_device || cell->stages.from_device;
}

/// Empty if nothing was measured on the data set.
Table codec_table(const Report& report, std::size_t data) {
  std::vector<const CodecResult*> cells;
  for (const CodecResult& cell : report.codec)
    if (cell.data == data) cells.push_back(&cell);
  const bool copies = std::ranges::any_of(cells, has_copies);
  Table table{.columns = kColumns, .keys = kKeys, .rows = {}, .brief = kBrief};
  if (copies) table.columns.insert(table.columns.end(), {{"to"}, {"from"}});
  if (!cells.empty()) table.rows.push_back(copy_row(cells, table.columns.size()));
  for (const RawResult& raw : report.raw)
    if (raw.data == data) table.rows.push_back(row_of(raw, table.columns.size()));
  const NumberType type = data_of(report, data).type;
  for (const CodecResult* cell : cells) table.rows.push_back(row_of(*cell, type, copies));
  paint(table.rows, cells);
  return table;
}

}  // namespace

Section codec_section(const Report& report) {
  Section section{.note = kNote, .tables = {}};
  for (std::size_t i = 0; i < report.data.size(); ++i) {
    Table table = codec_table(report, i);
    if (!table.rows.empty()) section.tables.push_back({data_title(report.data[i]), "", "", std::move(table)});
  }
  return section;
}

// ---- Scans in groups

namespace {

/// The fields that all cells of a grid share. Zigzag is not one of them: order 0 has none, higher orders have
/// it.
auto family(const ScanResult& scan) {
  return std::tie(scan.backend, scan.scan, scan.direction, scan.shape, scan.coding.word, scan.coding.layout,
                  scan.coding.packed, scan.coding.big_endian);
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
                  scan.coding.packed, scan.coding.big_endian, scan.coding.order, scan.coding.tuple);
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

// ---- Groups of scans as tables

namespace {

constexpr Scale kShares{0, 1};

constexpr auto kScanNote =
    "Kernels alone: GB/s, and the speed as a share of memcpy of the same bytes; l or r: latency or reduction "
    "sets the limit, not bandwidth.";
constexpr auto kCurveNote = "Kernels over lengths: GB/s, beside memcpy of the same bytes.";

double limit_speed(const ScanResult& scan) {
  return scan.limit.seconds() > 0 ? static_cast<double>(scan.bytes) / scan.limit.seconds() : 0;
}

/// A letter if latency or reduction binds instead of bandwidth.
std::string_view bound_mark(const Limit& limit) {
  if (limit.seconds() <= 0 || limit.binding() == "bandwidth") return " ";
  return limit.binding() == "latency" ? "l" : "r";
}

Cell cell_of(const ScanResult* scan) {
  if (scan == nullptr) return {"", {}, false};
  if (!scan->fault.empty()) return {"WRONG ", {}, true};
  if (scan->kernel.median <= 0) return {"- ", {}, false, "-"};
  const std::string share = percent_text(scan->share());
  return {fmt::format("{} {:>3}%{}", giga_text(scan->kernel.bytes_per_second(scan->bytes)), share,
                      bound_mark(scan->limit)),
          heat_step(scan->share(), kShares), false, share};
}

Table grid_table(const ScanGrid& grid) {
  Table table{.columns = {{"order"}}, .keys = 1, .rows = {}};
  for (const std::uint32_t tuple : grid.tuples)  // the blank stands above the letter of the limit
    table.columns.push_back({fmt::format("tuple {} ", tuple), fmt::format("tuple {}", tuple)});
  for (const std::uint8_t order : grid.orders) {
    std::vector<Cell> row{{fmt::format("{}", order)}};
    for (const std::uint32_t tuple : grid.tuples) row.push_back(cell_of(grid.at(order, tuple)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string panel_title(const ScanResult& scan) {
  return fmt::format("{}: {}, {}, {}-bit words, {}, order {}, tuple {}; GB/s", printable(scan.backend),
                     direction_name(scan.direction), scan.shape == Shape::chain ? "one chain" : "chunks",
                     scan.coding.word * 8, formats::layout_name(scan.coding), scan.coding.order,
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

Cell point_cell(const CurveLine& line, std::uint64_t bytes) {
  const auto at = std::ranges::find(line.points, bytes, [](const ScanResult* point) { return point->bytes; });
  if (at == line.points.end()) return {};
  if (!(*at)->fault.empty()) return {"WRONG", {}, true};
  const double speed = (*at)->kernel.bytes_per_second(bytes);
  if (speed <= 0) return {"-", {}, false};
  return {giga_text(speed), heat_step((*at)->share(), kShares), false};
}

constexpr Scale kNothing{std::numeric_limits<double>::infinity(), 0};  // for widen()

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

/// "limit 3.02 TB/s, bandwidth binds; with copies 24.0 GB/s". Where cells differ: the ranges, and the number
/// of cells in which each term binds. Empty if nothing is known.
std::string grid_note(const std::vector<const ScanResult*>& cells) {
  const std::string limit = limit_note(cells), copies = copies_note(cells);
  return limit + (limit.empty() || copies.empty() ? "" : "; ") + copies;
}

TitledTable titled(const ScanGrid& grid) {
  std::vector<const ScanResult*> cells;
  for (const auto& [where, cell] : grid.cells) cells.push_back(cell);
  const std::string note = grid_note(cells);
  return {scan_title(*grid.first), note, "Share of memcpy in %" + (note.empty() ? "" : "; " + note) + ".",
          grid_table(grid)};
}

TitledTable titled(const CurvePanel& panel) {
  const auto copies = panel.copy_speeds();
  Table table{.columns = {{"bytes"}, {"memcpy"}}, .keys = 1, .rows = {}};
  for (const CurveLine& line : panel.lines) table.columns.push_back({printable(line.scan)});
  for (const std::uint64_t bytes : lengths_of(panel)) {
    const double copy = copies.contains(bytes) ? copies.at(bytes) : 0;
    std::vector<Cell> row{{format_size(bytes)}, {giga_text(copy)}};
    for (const CurveLine& line : panel.lines) row.push_back(point_cell(line, bytes));
    table.rows.push_back(std::move(row));
  }
  return {panel_title(*panel.first), "", "", std::move(table)};
}

template <class Groups>
Section section_of(std::string note, const Groups& groups) {
  Section section{.note = std::move(note), .tables = {}};
  for (const auto& group : groups) section.tables.push_back(titled(group));
  return section;
}

}  // namespace

Section scan_section(const Report& report) {
  return section_of(kScanNote, scan_grids(report.scans));
}

Section curve_section(const Report& report) {
  return section_of(kCurveNote, curve_panels(report.curves));
}

}  // namespace tdz::app::bench
