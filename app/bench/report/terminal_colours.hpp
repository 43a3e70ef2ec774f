// SPDX-License-Identifier: Apache-2.0
// May the terminal table be coloured?
#pragma once

#include "app/bench/report/text_table.hpp"

namespace tdz::app::bench {

/// Only a terminal that can, and unless NO_COLOR (no-color.org) holds anything. Null is an unset variable.
/// Pure.
Colours colours_of(bool is_terminal, const char* no_color, const char* term);

/// As standard output and the environment are.
Colours terminal_colours();

}  // namespace tdz::app::bench
