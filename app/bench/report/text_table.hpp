// SPDX-License-Identifier: Apache-2.0
// Tables and paragraphs for a terminal: aligned, no line wider than kTableWidth. The rest of a table that is
// too wide follows below. Pure functions; texts are UTF-8, a character counts as one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/bench/report/table.hpp"

namespace tdz::app::bench {

/// With heat, cells that have a step of the scale are painted.
enum class Colours : std::uint8_t { plain, heat };
/// Heat only on a terminal that can show it, and not if NO_COLOR (no-color.org) has a value. Null is an unset
/// variable. Pure.
Colours colours_of(bool is_terminal, const char* no_color, const char* term);

inline constexpr std::size_t kTableWidth = 110;

std::string text_table(const Table& table, Colours colours);

/// Characters, not bytes.
std::size_t shown_width(std::string_view text);
/// At most `width` characters; the last is … where some were cut.
std::string clipped(std::string_view text, std::size_t width);
/// Broken at blanks, later lines indented; a word that is longer than a line is cut.
std::string wrapped(std::string_view text, std::size_t indent);
/// For what must be seen, and for titles. Without colours both change nothing.
std::string alarming(std::string_view text, Colours colours);
std::string strong(std::string_view text, Colours colours);

}  // namespace tdz::app::bench
