// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/text_table.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/bench/report/heat.hpp"

namespace tdz::app::bench {
namespace {

constexpr auto kReset = "\x1B[0m";
constexpr auto kAlarm = "\x1B[1;97;41m";  // bold white on red
constexpr std::size_t kLongestCell = 30;
using Widths = std::vector<std::size_t>;
using Shown = std::vector<std::size_t>;  // columns that stand side by side

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

std::string line(const std::vector<Cell>& cells, const Shown& shown, const Table& table, const Screen& screen) {
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

std::string alarming(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("{}{}{}", kAlarm, text, kReset) : std::string(text);
}

std::string strong(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("\x1B[1m{}{}", text, kReset) : std::string(text);
}

}  // namespace tdz::app::bench
