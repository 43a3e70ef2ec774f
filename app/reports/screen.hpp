// SPDX-License-Identifier: Apache-2.0
// What a terminal, a file or a pipe can show, and texts that fit it. Except screen_of, pure functions; texts
// are UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tdz::app {

/// With heat, titles are bold, and cells that have a step of a scale are painted.
enum class Colours : std::uint8_t { plain, heat };
/// Which characters tdz adds by itself. Names of files are shown as they are.
enum class Letters : std::uint8_t { ascii, utf8 };

struct Screen {
  std::optional<std::size_t> columns{};  ///< of a terminal; nothing for a file or a pipe
  Colours colours = Colours::plain;
  Letters letters = Letters::utf8;

  std::size_t table_width() const;
  /// Nobody reads longer lines well.
  std::size_t text_width() const;
};

/// Asks the descriptor and the environment. A descriptor that is not open has no columns.
Screen screen_of(int fd);
/// Does the terminal of this TERM obey commands to erase and to colour? Null is an unset variable.
bool obeys(const char* term);
/// Heat only on a terminal that can show it, and not if NO_COLOR (no-color.org) has a value.
Colours colours_of(bool is_terminal, const char* no_color, const char* term);
/// The first variable with a value decides, as in POSIX.
Letters letters_of(const char* lc_all, const char* lc_ctype, const char* lang);

/// Columns of a terminal, not bytes.
std::size_t shown_width(std::string_view text);
/// At most `width` columns; the last is … (or three are ...) where some were cut.
std::string clipped(std::string_view text, std::size_t width, Letters letters);
/// Lines of at most `width` columns, broken at blanks, later lines indented; a word that is longer than a
/// line is cut.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);
/// Wrapped on a terminal; one line in a file or a pipe, where other programs read it.
std::string folded(std::string_view text, std::size_t indent, const Screen& screen);

}  // namespace tdz::app
