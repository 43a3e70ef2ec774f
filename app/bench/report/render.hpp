// SPDX-License-Identifier: Apache-2.0
// A report in the format that was asked for. Pure.
#pragma once

#include <string>

#include "app/bench/results.hpp"
#include "app/bench/report/text_table.hpp"
#include "app/options/options.hpp"

namespace tdz::app::bench {

/// Colours matter to the table alone.
std::string render(const Report& report, BenchFormat format, Colours colours);

}  // namespace tdz::app::bench
