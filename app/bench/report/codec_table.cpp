// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>

#include "app/bench/report/figures.hpp"
#include "app/bench/report/tables.hpp"

namespace tdz::app::bench {
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

}  // namespace tdz::app::bench
