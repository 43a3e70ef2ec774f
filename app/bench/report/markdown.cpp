// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/markdown.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/bench/report/cells.hpp"
#include "app/bench/report/facts.hpp"
#include "app/bench/report/figures.hpp"
#include "app/bench/report/scan_tables.hpp"
#include "app/options/names.hpp"
#include "app/options/sizes.hpp"

namespace tdz::app::bench {
namespace {

constexpr auto kWrong = "**WRONG**";

/// Names and texts are no Markdown, and no HTML.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]<>|&~#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

using Fields = std::vector<std::string>;

std::string row(const Fields& fields) {
  std::string text = "|";
  for (const std::string& field : fields) text += " " + field + " |";
  return text + "\n";
}

/// The first columns are text, and the others figures.
std::string head(const Fields& names, std::size_t texts) {
  std::string rule = "|";
  for (std::size_t i = 0; i < names.size(); ++i) rule += i < texts ? "---|" : "---:|";
  return "\n" + row(names) + rule + "\n";
}

std::string mega(const Timing& time, std::uint64_t bytes) {
  return mega_text(time.bytes_per_second(bytes));
}

std::string codec_row(const CodecResult& cell, const NumberType& type) {
  return row({coding_type(cell.coding, type), std::string(formats::layout_name(cell.coding.layout)),
              plain(cell.backend), fmt::format("{}", cell.coding.order), fmt::format("{}", cell.level),
              cell.fault.empty() ? ratio_figure(cell.ratio()) : kWrong, mega(cell.compress, cell.bytes),
              mega(cell.decompress, cell.bytes)});
}

std::string codec_part(const Report& report, std::size_t data) {
  std::string rows;
  for (const RawResult& raw : report.raw)
    if (raw.data == data)
      rows += row({"plain zstd", "", "", "", fmt::format("{}", raw.level), ratio_figure(raw.ratio()),
                   mega(raw.compress, raw.bytes), mega(raw.decompress, raw.bytes)});
  const DataSet& set = data_of(report, data);
  for (const CodecResult& cell : report.codec)
    if (cell.data == data) rows += codec_row(cell, set.type);
  if (rows.empty()) return "";
  return "\n### " + plain(data_title(set)) + "\n" +
         head({"type", "layout", "by", "order", "level", "ratio", "compress MB/s", "restore MB/s"}, 3) + rows;
}

std::string share_field(const ScanResult* scan) {
  if (scan == nullptr) return "";
  return scan->fault.empty() ? percent_text(scan->share()) : kWrong;
}

std::string grid_part(const ScanGrid& grid) {
  std::vector<const ScanResult*> cells;
  for (const auto& [where, cell] : grid.cells) cells.push_back(cell);
  const std::string notes = grid_notes(cells);
  std::string text = "\n### " + plain(scan_title(*grid.first)) + "\n\nShare of memcpy in %" +
                     (notes.empty() ? "" : "; " + notes) + ".\n";
  Fields names{"order"};
  for (const std::uint32_t tuple : grid.tuples) names.push_back(fmt::format("tuple {}", tuple));
  text += head(names, 1);
  for (const std::uint8_t order : grid.orders) {
    Fields fields{fmt::format("{}", order)};
    for (const std::uint32_t tuple : grid.tuples) fields.push_back(share_field(grid.at(order, tuple)));
    text += row(fields);
  }
  return text;
}

/// How fast each scan is where it is fastest; the whole curves are for pictures.
std::string curve_part(const CurvePanel& panel) {
  const ScanResult& first = *panel.first;
  std::string text = fmt::format("\n### {}, {}, {}-bit words, order {}, tuple {}: the fastest length\n",
                                 plain(first.backend), direction_name(first.direction), first.coding.word * 8,
                                 first.coding.order, first.coding.tuple);
  text += head({"scan", "bytes", "GB/s", "memcpy GB/s"}, 1);
  for (const CurveLine& line : panel.lines) {
    const ScanResult* best = line.points.front();
    for (const ScanResult* point : line.points)
      if (point->kernel.bytes_per_second(point->bytes) > best->kernel.bytes_per_second(best->bytes))
        best = point;
    text += row({plain(line.scan), format_size(best->bytes),
                 best->fault.empty() ? giga_text(best->kernel.bytes_per_second(best->bytes)) : kWrong,
                 giga_text(best->copy.bytes_per_second(best->bytes))});
  }
  return text;
}

std::string facts_part(const Report& report) {
  std::string text;
  for (const Facts& facts : {machine_facts(report.machine), model_facts(report.models)})
    for (const auto& [name, fact] : facts) text += "- " + plain(name) + ": " + plain(fact) + "\n";
  return text.empty() ? "" : "\n" + text;
}

std::string run_part(const Report& report) {
  std::string text = "## tdz bench\n";
  if (!report.command_line.empty()) text += "\n    " + command_text(report) + "\n";
  if (!report.started.empty())
    text += fmt::format("\n{}, took {}.\n", plain(report.started), seconds_text(report.seconds));
  if (!report.complete)
    text += "\nNot everything was measured: the run was interrupted, or an error ended it.\n";
  for (const std::string& fault : faults(report)) text += fmt::format("\n{} {}\n", kWrong, plain(fault));
  for (const std::string& remark : report.remarks) text += "\n" + plain(remark) + "\n";
  return text;
}

}  // namespace

std::string report_markdown(const Report& report) {
  std::string text = run_part(report) + facts_part(report);
  for (std::size_t i = 0; i < report.data.size(); ++i) text += codec_part(report, i);
  for (const ScanGrid& grid : scan_grids(report.scans)) text += grid_part(grid);
  for (const CurvePanel& panel : curve_panels(report.curves)) text += curve_part(panel);
  return text;
}

}  // namespace tdz::app::bench
