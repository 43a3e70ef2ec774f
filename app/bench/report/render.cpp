// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"

#include <spdlog/fmt/fmt.h>

#include <numeric>

#include "app/bench/report/figures.hpp"
#include "app/bench/report/tables.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {

// ---- Markdown

namespace {

constexpr auto kWrongCell = "**WRONG**";

/// Names and texts must not become Markdown or HTML.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_[]<>|&~#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string field(const Column& column) {
  return column.full_name.empty() ? column.name : column.full_name;
}

std::string field(const Cell& cell) {
  if (cell.wrong) return kWrongCell;
  return plain(cell.brief.empty() ? cell.text : cell.brief);
}

template <class Fields>
std::string line(const Fields& fields, const std::vector<std::size_t>& shown) {
  std::string text = "|";
  for (const std::size_t i : shown) text += " " + field(fields[i]) + " |";
  return text + "\n";
}

/// The columns of the brief table, or all.
std::vector<std::size_t> shown_columns(const Table& table) {
  std::vector<std::size_t> shown = table.brief;
  if (!shown.empty()) return shown;
  shown.resize(table.columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  return shown;
}

std::string table_text(const Table& table) {
  const auto shown = shown_columns(table);
  std::string text = "\n" + line(table.columns, shown) + "|";
  for (const std::size_t i : shown) text += i < table.keys ? "---|" : "---:|";
  text += "\n";
  for (const auto& row : table.rows) text += line(row, shown);
  return text;
}

std::string section_text(const Section& section) {
  std::string text;
  for (const TitledTable& part : section.tables) {
    text += "\n### " + plain(part.title) + "\n";
    if (!part.brief_note.empty()) text += "\n" + plain(part.brief_note) + "\n";
    text += table_text(part.table);
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
  if (const auto load = load_text(report); !load.empty()) text += fmt::format("\nLoad: {}.\n", plain(load));
  if (!report.complete)
    text += "\nNot everything was measured: the run was interrupted, or an error ended it.\n";
  for (const std::string& fault : faults(report)) text += fmt::format("\n{} {}\n", kWrongCell, plain(fault));
  for (const std::string& remark : report.remarks) text += "\n" + plain(remark) + "\n";
  return text;
}

}  // namespace

std::string report_markdown(const Report& report) {
  return run_part(report) + facts_part(report) + section_text(codec_section(report)) +
         section_text(scan_section(report)) + section_text(curve_section(report));
}

// ---- HTML

namespace {

constexpr std::string_view kPlace = ">REPORT<";

/// In JSON a "<" stands only inside strings. Written as an escape it cannot end the script element, whatever
/// a file is called.
std::string without_tags(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

}  // namespace

std::string report_html(const Report& report) {
  std::string page(page_template());
  return page.replace(page.find(kPlace) + 1, kPlace.size() - 2, without_tags(report_json(report)));
}

// ---- Every format

std::string render(const Report& report, BenchFormat format, const Screen& screen) {
  switch (format) {
    case BenchFormat::json:
      return report_json(report);
    case BenchFormat::csv:
      return report_csv(report);
    case BenchFormat::markdown:
      return report_markdown(report);
    case BenchFormat::html:
      return report_html(report);
    case BenchFormat::table:
      break;
  }
  return report_table(report, screen);
}

}  // namespace tdz::app::bench
