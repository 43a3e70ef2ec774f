// SPDX-License-Identifier: Apache-2.0
// A report for a person at a terminal, at most kTableWidth columns wide. Pure.
#pragma once

#include <string>

#include "app/bench/results.hpp"
#include "app/bench/report/text_table.hpp"

namespace tdz::app::bench {

std::string report_table(const Report& report, Colours colours);

}  // namespace tdz::app::bench
