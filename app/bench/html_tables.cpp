// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_tables.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/bench/figures.hpp"
#include "app/bench/html_text.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

constexpr std::size_t kOpenRows = 40;  // a longer table is folded away
constexpr std::size_t kCutFrom = 24;   // characters of a field that may not fit its column
using Fields = std::vector<std::string>;

/// The first columns are text, all others figures.
struct Table {
  std::string_view id, caption;
  std::size_t texts;
  Fields heads;
  std::vector<Fields> rows;
};

/// For machines too: no unit, and nothing where nothing was measured.
std::string number(double value) {
  if (!(value > 0)) return "";
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.5g}", value);
}
std::string number(std::uint64_t value) {
  return fmt::format("{}", value);
}
std::string mega(const Timing& time, std::uint64_t bytes) {
  return number(time.bytes_per_second(bytes) / 1e6);
}
std::string giga(const Timing& time, std::uint64_t bytes) {
  return number(time.bytes_per_second(bytes) / 1e9);
}
template <class Text>
std::string if_any(const std::optional<Timing>& time, std::uint64_t bytes, Text text) {
  return time ? text(*time, bytes) : "";
}
std::string spread(const Timing& time) {
  return time.runs > 1 ? fmt::format("{:.1f}", time.spread() * 100) : "";
}
std::string milliseconds(double seconds) {
  return number(seconds * 1e3);
}

std::string head_html(const Table& table) {
  std::string html = "<thead><tr>";
  for (const std::string& head : table.heads)
    html +=
        "<th scope=\"col\" aria-sort=\"none\"><button type=\"button\">" + escaped(head) + "</button></th>";
  return html + "</tr></thead>\n";
}

/// What the style sheet cuts is whole when pointed at.
std::string cell_html(const std::string& field) {
  const std::string text = escaped(field);
  return (field.size() > kCutFrom ? "<td title=\"" + text + "\">" : "<td>") + text + "</td>";
}

std::string body_html(const Table& table) {
  std::string html = "<tbody>\n";
  for (const Fields& row : table.rows) {
    html += "<tr>";
    for (const std::string& field : row) html += cell_html(field);
    html += "</tr>\n";
  }
  return html + "</tbody>";
}

std::string html_of(const Table& table) {
  if (table.rows.empty()) return "";
  const std::string html = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table id=\"{1}\" "
      "class=\"sortable t{2}\">\n"
      "{3}{4}</table></div>\n",
      escaped(table.caption), table.id, table.texts, head_html(table), body_html(table));
  return details(
      fmt::format("{}, {} result{}", table.caption, table.rows.size(), table.rows.size() == 1 ? "" : "s"),
      html, table.rows.size() <= kOpenRows, "raw");
}

Fields row_of(const RawResult& raw, const Report& report) {
  return {shown_name(data_of(report, raw.data).name),
          fmt::format("{}", raw.level),
          number(raw.bytes),
          number(raw.stored),
          number(raw.ratio()),
          mega(raw.compress, raw.bytes),
          spread(raw.compress),
          mega(raw.decompress, raw.bytes),
          spread(raw.decompress)};
}

Table zstd_table(const Report& report) {
  Table table{
      "table-raw",
      "Plain zstd",
      1,
      {"data", "level", "bytes", "stored", "ratio", "compress MB/s", "spread %", "restore MB/s", "spread %"},
      {}};
  for (const RawResult& raw : report.raw) table.rows.push_back(row_of(raw, report));
  return table;
}

const Fields kCodecHeads{
    "data",        "type",         "layout",         "backend",          "order",          "tuple",
    "word bytes",  "level",        "bytes",          "stored",           "ratio",          "compress MB/s",
    "spread %",    "restore MB/s", "spread %",       "difference MB/s",  "integrate MB/s", "pack MB/s",
    "unpack MB/s", "digest MB/s",  "to device MB/s", "from device MB/s", "memcpy MB/s",    "fault"};

Fields row_of(const CodecResult& cell, const Report& report) {
  const DataSet& data = data_of(report, cell.data);
  const Stages& stages = cell.stages;
  const auto speed = [&](const Timing& time) { return mega(time, cell.bytes); };
  return {shown_name(data.name),
          coding_type(cell.coding, data.type),
          std::string(formats::layout_name(cell.coding.layout)),
          cell.backend,
          fmt::format("{}", cell.coding.order),
          number(std::uint64_t{cell.coding.tuple}),
          fmt::format("{}", cell.coding.word),
          fmt::format("{}", cell.level),
          number(cell.bytes),
          number(cell.stored),
          number(cell.ratio()),
          speed(cell.compress),
          spread(cell.compress),
          speed(cell.decompress),
          spread(cell.decompress),
          speed(stages.difference),
          speed(stages.integrate),
          speed(stages.pack),
          speed(stages.unpack),
          speed(stages.digest),
          if_any(stages.to_device, cell.bytes, mega),
          if_any(stages.from_device, cell.bytes, mega),
          speed(cell.copy),
          cell.fault};
}

Table codec_table(const Report& report) {
  Table table{"table-codec", "The whole codec", 4, kCodecHeads, {}};
  for (const CodecResult& cell : report.codec) table.rows.push_back(row_of(cell, report));
  return table;
}

const Fields kScanHeads{
    "backend",     "scan",    "direction",    "shape",      "layout",       "word bytes",  "order",
    "tuple",       "bytes",   "chunk bytes",  "kernel ms",  "spread %",     "kernel GB/s", "with copies GB/s",
    "memcpy GB/s", "share %", "bandwidth ms", "latency ms", "reduction ms", "limit ms",    "share of limit %",
    "binds",       "fault"};

Fields row_of(const ScanResult& scan) {
  const Limit& limit = scan.limit;
  return {scan.backend,
          scan.scan,
          std::string(direction_name(scan.direction)),
          std::string(shape_name(scan.shape)),
          std::string(formats::layout_name(scan.coding.layout)),
          fmt::format("{}", scan.coding.word),
          fmt::format("{}", scan.coding.order),
          number(std::uint64_t{scan.coding.tuple}),
          number(scan.bytes),
          number(scan.chunk_bytes),
          milliseconds(scan.kernel.median),
          spread(scan.kernel),
          giga(scan.kernel, scan.bytes),
          if_any(scan.with_copies, scan.bytes, giga),
          giga(scan.copy, scan.bytes),
          number(scan.share() * 100),
          milliseconds(limit.bandwidth),
          milliseconds(limit.latency),
          milliseconds(limit.reduction),
          milliseconds(limit.seconds()),
          number(scan.share_of_limit() * 100),
          limit.seconds() > 0 ? std::string(limit.binding()) : "",
          scan.fault};
}

Table scan_table(std::string_view id, std::string_view caption, const std::vector<ScanResult>& scans) {
  Table table{id, caption, 5, kScanHeads, {}};
  for (const ScanResult& scan : scans) table.rows.push_back(row_of(scan));
  return table;
}

}  // namespace

std::string raw_tables(const Report& report) {
  return html_of(zstd_table(report)) + html_of(codec_table(report)) +
         html_of(scan_table("table-scans", "Kernels alone", report.scans)) +
         html_of(scan_table("table-curves", "Kernels over lengths", report.curves));
}

}  // namespace tdz::app::bench
