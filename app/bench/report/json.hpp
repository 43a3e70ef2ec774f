// SPDX-License-Identifier: Apache-2.0
// A report for programs. Schema "tdz-bench/1", told by docs/bench-json.md. Pure.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/results.hpp"

namespace tdz::app::bench {

inline constexpr std::string_view kBenchSchema = "tdz-bench/1";

/// One line for every result, so that reports under version control compare line by line.
std::string report_json(const Report& report);

}  // namespace tdz::app::bench
