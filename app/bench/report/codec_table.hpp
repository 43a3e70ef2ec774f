// SPDX-License-Identifier: Apache-2.0
// The whole codec on one data set as a table for a terminal: memcpy, plain zstd, every cell. Pure.
#pragma once

#include "app/bench/results.hpp"
#include "app/bench/report/text_table.hpp"

namespace tdz::app::bench {

/// Empty if nothing was measured on it.
std::string codec_table(const Report& report, std::size_t data, Colours colours);

}  // namespace tdz::app::bench
