// SPDX-License-Identifier: Apache-2.0
// A report as JSON: the measurements, and the figures that follow from them. docs/bench-json.md explains the
// fields. Here are the parts that CSV has too; report_json() in render.hpp makes the whole. Pure functions.
#pragma once

#include "app/bench/results.hpp"
#include "app/reports/json_parts.hpp"

namespace tdz::app::bench {

/// Rounded to five digits: a clock is not more exact, and a report can have thousands of cells.
Json figure(double value);
/// Null for 0.
Json figure_or_null(double value);

/// {"before", "after"}
Json load_json(const std::optional<Load>& load);

Json result_json(const RawResult& result);
Json result_json(const CodecResult& result);
Json result_json(const ScanResult& result);

}  // namespace tdz::app::bench
