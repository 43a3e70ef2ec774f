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

bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// Where the character with that index begins, or the end.
std::size_t offset_of(std::string_view text, std::size_t character) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (begins_character(text[i]) && character-- == 0) return i;
  return text.size();
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

std::string aligned(const Cell& cell, std::size_t width, bool left) {
  const std::string text = clipped(cell.text, width);
  const std::string blanks(width - shown_width(text), ' ');
  return left ? text + blanks : blanks + text;
}

std::string line(const std::vector<Cell>& cells, const Shown& shown, const Table& table, Colours colours) {
  const Widths widths = widths_of(table);
  std::string text;
  for (const std::size_t i : shown) {
    const bool key = i < table.keys;
    text += key ? (i == 0 ? "  " : " ") + aligned(cells[i], widths[i], true)
                : " " + painted(aligned(cells[i], widths[i], false), cells[i], colours);
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
std::vector<Shown> stretches(const Table& table) {
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
    if (width + 1 + widths[i] > kTableWidth && list.back().size() > table.keys) {
      list.push_back(keys);
      width = key_width;
    }
    list.back().push_back(i);
    width += 1 + widths[i];
  }
  return list;
}

}  // namespace

std::string text_table(const Table& table, Colours colours) {
  std::string text;
  for (const Shown& shown : stretches(table)) {
    if (!text.empty()) text += "\n";
    text += line(head_cells(table), shown, table, Colours::plain);
    for (const auto& row : table.rows) text += line(row, shown, table, colours);
  }
  return text;
}

Colours colours_of(bool is_terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
  return is_terminal && !refused && !dumb ? Colours::heat : Colours::plain;
}

std::size_t shown_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string clipped(std::string_view text, std::size_t width) {
  if (shown_width(text) <= width) return std::string(text);
  return std::string(text.substr(0, offset_of(text, width - 1))) + "…";
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string lines;
  std::size_t room = kTableWidth;
  while (!text.empty()) {
    std::size_t end = offset_of(text, room);
    if (end < text.size()) {
      const std::size_t blank = text.rfind(' ', end);
      if (blank != std::string_view::npos && blank > 0) end = blank;
    }
    lines += (lines.empty() ? "" : std::string(indent, ' ')) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(text.size(), end < text.size() && text[end] == ' ' ? end + 1 : end));
    room = kTableWidth - indent;
  }
  return lines;
}

std::string alarming(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("{}{}{}", kAlarm, text, kReset) : std::string(text);
}

std::string strong(std::string_view text, Colours colours) {
  return colours == Colours::heat ? fmt::format("\x1B[1m{}{}", text, kReset) : std::string(text);
}

}  // namespace tdz::app::bench
