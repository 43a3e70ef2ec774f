// SPDX-License-Identifier: Apache-2.0
// One result of a report as JSON: everything measured, and what follows from it. docs/bench-json.md tells the
// fields.
#pragma once

#include "app/bench/results.hpp"
#include "app/reports/json_parts.hpp"

namespace tdz::app::bench {

/// Five digits: no clock tells more, and reports of thousands of cells are kept.
Json figure(double value);
/// Null where there is none.
Json figure_or_null(double value);

Json result_json(const RawResult& result);
Json result_json(const CodecResult& result);
Json result_json(const ScanResult& result);

}  // namespace tdz::app::bench
