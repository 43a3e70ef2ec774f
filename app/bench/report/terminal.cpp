// SPDX-License-Identifier: Apache-2.0
// A report for a terminal: its tables as wide as the screen, what is wrong, remarks and facts.
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/bench/report/figures.hpp"
#include "app/bench/report/render.hpp"
#include "app/bench/report/tables.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {

// ---- One table

namespace {

constexpr auto kReset = "\x1B[0m";
constexpr auto kAlarm = "\x1B[1;97;41m";  // bold white on red
constexpr std::size_t kLongestCell = 30;
using Widths = std::vector<std::size_t>;
using Shown = std::vector<std::size_t>;  // columns that stand side by side

/// For what must be seen. Without colours it changes nothing.
std::string alarming(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("{}{}{}", kAlarm, text, kReset) : std::string(text);
}

/// For titles. Without colours it changes nothing.
std::string strong(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("\x1B[1m{}{}", text, kReset) : std::string(text);
}

std::string painted(std::string_view text, const Cell& cell, Colours colours) {
  if (cell.wrong) return alarming(text, colours);
  if (colours == Colours::plain || !cell.step) return std::string(text);
  const HeatColour& colour = kHeat[std::min(*cell.step, kHeat.size() - 1)];
  return fmt::format("\x1B[48;5;{};38;5;{}m{}{}", colour.terminal, colour.light ? 16 : 231, text, kReset);
}

Widths widths_of(const Table& table) {
  Widths widths;
  for (const Column& column : table.columns)
    widths.push_back(std::min(shown_width(column.name), kLongestCell));
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(shown_width(row[i].text), kLongestCell));
  return widths;
}

std::string aligned(const Cell& cell, std::size_t width, bool left, Letters letters) {
  const std::string text = clipped(cell.text, width, letters);
  const std::string blanks(width - shown_width(text), ' ');
  return left ? text + blanks : blanks + text;
}

std::string line(const std::vector<Cell>& cells, const Shown& shown, const Table& table,
                 const Screen& screen) {
  const Widths widths = widths_of(table);
  std::string text;
  for (const std::size_t i : shown) {
    const bool key = i < table.keys;
    const std::string cell = aligned(cells[i], widths[i], key, screen.letters);
    text += key ? (i == 0 ? "  " : " ") + cell : " " + painted(cell, cells[i], screen.colours);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::vector<Cell> head_cells(const Table& table) {
  std::vector<Cell> cells;
  for (const Column& column : table.columns) cells.push_back({column.name});
  return cells;
}

/// The columns of each stretch of the table: the keys, and at least one figure, however wide.
std::vector<Shown> stretches(const Table& table, std::size_t room) {
  const Widths widths = widths_of(table);
  Shown keys;
  std::size_t key_width = 1;
  for (std::size_t i = 0; i < table.keys; ++i) {
    keys.push_back(i);
    key_width += widths[i] + 1;
  }
  std::vector<Shown> list{keys};
  std::size_t width = key_width;
  for (std::size_t i = table.keys; i < widths.size(); ++i) {
    if (width + 1 + widths[i] > room && list.back().size() > table.keys) {
      list.push_back(keys);
      width = key_width;
    }
    list.back().push_back(i);
    width += 1 + widths[i];
  }
  return list;
}

/// Below the first stretch, a row of keys alone says nothing.
bool has_figures(const std::vector<Cell>& row, const Shown& shown, const Table& table) {
  return std::ranges::any_of(shown, [&](std::size_t i) { return i >= table.keys && !row[i].text.empty(); });
}

}  // namespace

std::string text_table(const Table& table, const Screen& screen) {
  std::string text;
  const std::vector<Shown> list = stretches(table, screen.table_width());
  for (const Shown& shown : list) {
    if (!text.empty()) text += "\n";
    text += line(head_cells(table), shown, table, screen);
    for (const auto& row : table.rows)
      if (&shown == &list.front() || has_figures(row, shown, table)) text += line(row, shown, table, screen);
  }
  return text;
}

// ---- The report

namespace {

constexpr std::size_t kNameWidth = 14;
constexpr std::string_view kWrong = "WRONG";

/// Adds a part after an empty line. Skips an empty part.
void add(std::string& text, const std::string& part) {
  if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
}

std::string titled_text(const TitledTable& part, const Screen& screen) {
  return strong(clipped(part.title, screen.table_width(), screen.letters), screen.colours) + "\n" +
         (part.note.empty() ? "" : wrapped("  " + part.note, 2, screen.text_width())) +
         text_table(part.table, screen);
}

std::string section_text(const Section& section, const Screen& screen) {
  std::string text;
  for (const TitledTable& part : section.tables) add(text, titled_text(part, screen));
  return text.empty() ? "" : wrapped(section.note, 0, screen.text_width()) + "\n" + text;
}

std::string faults_text(const Report& report, const Screen& screen) {
  std::string text;
  for (const std::string& fault : faults(report))
    text += alarming(kWrong, screen.colours) +
            wrapped(std::string(kWrong) + " " + fault, 6, screen.text_width()).substr(kWrong.size());
  return text;
}

std::string facts_text(const Report& report, const Screen& screen) {
  std::string text;
  for (const Facts& facts : {run_facts(report), machine_facts(report.machine), model_facts(report.models)})
    for (const auto& [name, fact] : facts)
      text +=
          wrapped(fmt::format("{:<{}}{}", clipped(name, kNameWidth - 1, screen.letters), kNameWidth, fact),
                  kNameWidth, screen.text_width());
  return text;
}

std::string remarks_text(const Report& report, const Screen& screen) {
  std::string text =
      report.complete ? ""
                      : wrapped("Not everything was measured: the run was interrupted, or an error ended it.",
                                2, screen.text_width());
  for (const std::string& remark : report.remarks) text += wrapped(printable(remark), 2, screen.text_width());
  return text;
}

}  // namespace

std::string report_table(const Report& report, const Screen& screen) {
  std::string text;
  for (const Section& section : {codec_section(report), scan_section(report), curve_section(report)})
    add(text, section_text(section, screen));
  if (text.empty()) text = "Nothing was measured.\n";
  add(text, faults_text(report, screen));
  add(text, remarks_text(report, screen));
  add(text, facts_text(report, screen));
  return text;
}

}  // namespace tdz::app::bench
