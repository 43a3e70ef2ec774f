// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/terminal_colours.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tdz::app::bench {

Colours colours_of(bool is_terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
  return is_terminal && !refused && !dumb ? Colours::heat : Colours::plain;
}

Colours terminal_colours() {
  return colours_of(isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

}  // namespace tdz::app::bench
