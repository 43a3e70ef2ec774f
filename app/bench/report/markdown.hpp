// SPDX-License-Identifier: Apache-2.0
// A report for docs and issues: the tables of the terminal, shorter. Pure.
#pragma once

#include <string>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

std::string report_markdown(const Report& report);

}  // namespace tdz::app::bench
