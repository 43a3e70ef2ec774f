// SPDX-License-Identifier: Apache-2.0
#include "app/reports/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "formats/hidden_characters.hpp"

namespace tdz::app {
namespace {

constexpr std::size_t kPaper = 110, kNarrowest = 40, kWidest = 240, kLongLine = 110;

using formats::CodePoints;
// After Unicode's annex 11: what takes two columns, and what combines with the character before it.
constexpr std::array<CodePoints, 11> kWide{{{0x1100, 0x115F},
                                            {0x2E80, 0x303E},
                                            {0x3041, 0xA4CF},
                                            {0xAC00, 0xD7A3},
                                            {0xF900, 0xFAFF},
                                            {0xFE30, 0xFE6F},
                                            {0xFF00, 0xFF60},
                                            {0xFFE0, 0xFFE6},
                                            {0x1F300, 0x1F64F},
                                            {0x1F900, 0x1F9FF},
                                            {0x20000, 0x3FFFD}}};
constexpr std::array<CodePoints, 4> kCombining{
    {{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

struct Character {
  std::size_t bytes, columns;
};

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::size_t columns_of(char32_t c) {
  const auto has = [c](const CodePoints& among) { return among.has(c); };
  if (std::ranges::any_of(kCombining, has)) return 0;
  return std::ranges::any_of(kWide, has) ? 2 : 1;
}

/// The first character of a text that is not empty.
Character first_character(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && continues(text[bytes])) ++bytes;
  return {bytes, columns_of(formats::code_point(text.substr(0, bytes)))};
}

/// The bytes of the characters that fit into `columns` columns.
std::size_t fitting(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    if (next.columns > columns) break;
    columns -= next.columns;
    bytes += next.bytes;
  }
  return bytes;
}

}  // namespace

std::size_t Screen::table_width() const {
  return columns ? std::clamp(*columns, kNarrowest, kWidest) : kPaper;
}

std::size_t Screen::text_width() const {
  return std::min(table_width(), kLongLine);
}

Screen screen_of(int fd) {
  Screen screen;
  const bool is_terminal = isatty(fd) == 1;
  winsize size{};
  const bool known = is_terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (is_terminal) screen.columns = known ? size.ws_col : 80;
  screen.colours = colours_of(is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
  screen.letters = letters_of(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG"));
  return screen;
}

bool obeys(const char* term) {
  return term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

Colours colours_of(bool is_terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  return is_terminal && !refused && obeys(term) ? Colours::heat : Colours::plain;
}

Letters letters_of(const char* lc_all, const char* lc_ctype, const char* lang) {
  std::string locale;
  for (const char* value : {lc_all, lc_ctype, lang})
    if (locale.empty() && value != nullptr) locale = value;
  std::erase(locale, '-');
  std::ranges::transform(locale, locale.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf8") == std::string::npos ? Letters::ascii : Letters::utf8;
}

std::size_t shown_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    columns += next.columns;
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string clipped(std::string_view text, std::size_t width, Letters letters) {
  if (shown_width(text) <= width) return std::string(text);
  const std::string_view dots = letters == Letters::utf8 ? "…" : "...";
  const std::size_t room = width - std::min(width, shown_width(dots));
  return std::string(text.substr(0, fitting(text, room))).append(dots.substr(0, fitting(dots, width)));
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t room = width;
  while (!text.empty()) {
    std::size_t end = std::max(fitting(text, room), first_character(text).bytes);
    if (end < text.size()) {
      const std::size_t blank = text.rfind(' ', end);
      if (blank != std::string_view::npos && blank > 0) end = blank;
    }
    lines += (lines.empty() ? "" : std::string(indent, ' ')) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(text.size(), end < text.size() && text[end] == ' ' ? end + 1 : end));
    room = width - std::min(width, indent);
  }
  return lines;
}

std::string folded(std::string_view text, std::size_t indent, const Screen& screen) {
  return screen.columns ? wrapped(text, indent, screen.text_width()) : std::string(text) + "\n";
}

}  // namespace tdz::app
