// SPDX-License-Identifier: Apache-2.0
// Which heat maps a report has.
#include <spdlog/fmt/fmt.h>

#include <limits>

#include "app/bench/figures.hpp"
#include "app/bench/html_heat_map.hpp"
#include "app/bench/html_text.hpp"
#include "app/bench/scan_tables.hpp"
#include "app/options/sizes.hpp"

namespace tdz::app::bench {
namespace {

/// One figure of a result, as a map shows it.
template <class Result>
struct Metric {
  std::string_view id;
  std::string caption;
  double (*value)(const Result&);
  std::string (*text)(double);
  std::string (*hint)(const Result&);
  Scale scale;
};

template <class Result>
std::string map_of(const CellGrid<Result>& grid, const Metric<Result>& metric) {
  HeatMap map{std::string(metric.id), metric.caption, grid.orders, grid.tuples, {}, metric.scale};
  for (const auto& [where, result] : grid.cells) {
    const double value = metric.value(*result);
    map.cells.push_back(
        {where.first, where.second, value, metric.text(value), metric.hint(*result), !result->fault.empty()});
  }
  return heat_map_figure(map);
}

template <class Result>
std::string maps_of(const CellGrid<Result>& grid, const std::vector<Metric<Result>>& metrics) {
  std::string html = "<div class=\"maps\">\n";
  for (const Metric<Result>& metric : metrics) html += map_of(grid, metric);
  return html + "</div>\n";
}

double ratio_of(const CodecResult& cell) {
  return cell.ratio();
}
double compress_speed(const CodecResult& cell) {
  return cell.compress.bytes_per_second(cell.bytes);
}
double restore_speed(const CodecResult& cell) {
  return cell.decompress.bytes_per_second(cell.bytes);
}
double kernel_speed(const ScanResult& scan) {
  return scan.kernel.bytes_per_second(scan.bytes);
}
double share_of(const ScanResult& scan) {
  return scan.share();
}
double limit_share_of(const ScanResult& scan) {
  return scan.share_of_limit();
}

/// Five characters at most.
std::string short_ratio(double ratio) {
  if (ratio <= 0) return "-";
  return ratio < 99.995 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.0f}", ratio);
}

std::string codec_hint(const CodecResult& cell) {
  if (!cell.fault.empty()) return "WRONG: " + cell.fault;
  return fmt::format("ratio {}, compresses {}, restores {}", ratio_figure(cell.ratio()),
                     speed_text(compress_speed(cell)), speed_text(restore_speed(cell)));
}

std::string scan_hint(const ScanResult& scan) {
  if (!scan.fault.empty()) return "WRONG: " + scan.fault;
  std::string text =
      fmt::format("{}, {} % of memcpy", speed_text(kernel_speed(scan)), percent_text(scan.share()));
  if (scan.limit.seconds() > 0)
    text += fmt::format(", {} % of the limit ({} binds)", percent_text(scan.share_of_limit()),
                        scan.limit.binding());
  return text;
}

Scale ratio_scale(const Report& report, std::size_t data) {
  Scale scale{std::numeric_limits<double>::infinity(), 0};
  for (const CodecResult& cell : report.codec)
    if (cell.data == data) widen(scale, cell.ratio());
  return scale;
}

Scale speed_scale(const Report& report, double (*speed)(const CodecResult&)) {
  Scale scale{0, 0};
  for (const CodecResult& cell : report.codec) widen(scale, speed(cell));
  return scale;
}

/// Speeds are compared within a backend.
Scale speed_scale(const Report& report, const std::string& backend) {
  Scale scale{0, 0};
  for (const ScanResult& scan : report.scans)
    if (scan.backend == backend) widen(scale, kernel_speed(scan));
  return scale;
}

std::string up_to(std::string_view what, const Scale& scale, std::string (*text)(double),
                  std::string_view unit) {
  return fmt::format("{}, {} to {} {}", what, scale.least > 0 ? text(scale.least) : "0", text(scale.most),
                     unit);
}

std::vector<Metric<CodecResult>> codec_metrics(const Report& report, std::size_t data) {
  const Scale ratio = ratio_scale(report, data);
  const Scale compress = speed_scale(report, compress_speed), restore = speed_scale(report, restore_speed);
  return {{"ratio", up_to("ratio", ratio, short_ratio, ""), ratio_of, short_ratio, codec_hint, ratio},
          {"compress", up_to("compress", compress, mega_text, "MB/s"), compress_speed, mega_text, codec_hint,
           compress},
          {"decompress", up_to("restore", restore, mega_text, "MB/s"), restore_speed, mega_text, codec_hint,
           restore}};
}

std::vector<Metric<ScanResult>> scan_metrics(const Report& report, const std::string& backend) {
  const Scale speed = speed_scale(report, backend);
  constexpr Scale kShares{0, 1};
  return {{"speed", up_to("speed", speed, giga_text, "GB/s"), kernel_speed, giga_text, scan_hint, speed},
          {"share", "share of memcpy, 0 to 100 %", share_of, percent_text, scan_hint, kShares},
          {"limit", "share of the limit, 0 to 100 %", limit_share_of, percent_text, scan_hint, kShares}};
}

std::string codec_title(const CodecResult& cell) {
  return fmt::format("{}, {}-bit words, {}{}, level {}", cell.backend, cell.coding.word * 8,
                     formats::layout_name(cell.coding.layout), cell.coding.big_endian ? ", big-endian" : "",
                     cell.level);
}

/// Plain zstd on the same bytes, to compare with.
std::string zstd_notes(const Report& report, std::size_t data) {
  std::string html;
  for (const RawResult& raw : report.raw)
    if (raw.data == data)
      html += fmt::format(
          "<p class=\"note\">plain zstd, level {}: ratio {}, compresses {}, restores {}</p>\n", raw.level,
          ratio_figure(raw.ratio()), speed_text(raw.compress.bytes_per_second(raw.bytes)),
          speed_text(raw.decompress.bytes_per_second(raw.bytes)));
  return html;
}

std::string scan_group(const ScanGrid& grid, const std::vector<Metric<ScanResult>>& metrics) {
  std::vector<const ScanResult*> cells;
  bool wrong = false;
  for (const auto& [where, cell] : grid.cells) {
    cells.push_back(cell);
    wrong |= !cell->fault.empty();
  }
  const std::string notes = grid_notes(cells);
  const std::string note = notes.empty() ? "" : "<p class=\"note\">" + escaped(notes) + "</p>\n";
  const bool own = grid.first->scan == "tdz";
  return details(scan_title(*grid.first), note + maps_of(grid, metrics), own || wrong, "group");
}

}  // namespace

std::string codec_maps(const Report& report) {
  std::string html;
  for (std::size_t i = 0; i < report.data.size(); ++i) {
    const std::vector<CodecGrid> grids = codec_grids(report, i);
    if (grids.empty()) continue;
    const auto metrics = codec_metrics(report, i);
    html += "<h3><bdi>" + escaped(data_title(report.data[i])) + "</bdi></h3>\n" + zstd_notes(report, i);
    for (const CodecGrid& grid : grids)
      html += details(codec_title(*grid.first), maps_of(grid, metrics), true, "group");
  }
  return html;
}

std::string scan_maps(const Report& report) {
  std::string html;
  for (const ScanGrid& grid : scan_grids(report.scans))
    html += scan_group(grid, scan_metrics(report, grid.first->backend));
  return html;
}

}  // namespace tdz::app::bench
