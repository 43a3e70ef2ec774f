// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal: aligned, no line wider than the screen. The rest of a table that is too wide follows
// below. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/report/table.hpp"
#include "app/reports/screen.hpp"

namespace tdz::app::bench {

std::string text_table(const Table& table, const Screen& screen);

/// For what must be seen, and for titles. Without colours both change nothing.
std::string alarming(std::string_view text, Colours colours);
std::string strong(std::string_view text, Colours colours);

}  // namespace tdz::app::bench
