// SPDX-License-Identifier: Apache-2.0
// Tables and paragraphs for a terminal: aligned, no line wider than asked. A table that is too wide goes on
// below itself. Pure functions; texts are UTF-8, a character counts as one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tdz::app::bench {

/// With heat, cells that have a step of the scale are painted.
enum class Colours : std::uint8_t { plain, heat };

inline constexpr std::size_t kTableWidth = 110;

struct TextCell {
  std::string text;
  std::optional<std::size_t> step{};  ///< of kHeat
  bool wrong = false;                 ///< stands out, whatever its step
};

struct TextTable {
  std::vector<std::string> head;
  std::size_t keys = 1;  ///< so many columns name the row: aligned left, and repeated where the table goes on
  std::vector<std::vector<TextCell>> rows;  ///< each as long as the head
};

std::string text_table(const TextTable& table, Colours colours);

/// Characters, not bytes.
std::size_t shown_width(std::string_view text);
/// At most so many characters; the last is … where some were cut.
std::string clipped(std::string_view text, std::size_t width);
/// Broken at blanks, later lines indented; words that do not fit a line are cut into pieces.
std::string wrapped(std::string_view text, std::size_t indent);
/// For what must be seen; only where colours are.
std::string alarming(std::string_view text, Colours colours);
std::string strong(std::string_view text, Colours colours);

}  // namespace tdz::app::bench
