// SPDX-License-Identifier: Apache-2.0
// A report in each format. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "app/bench/results.hpp"
#include "app/options/options.hpp"
#include "app/reports/screen.hpp"
#include "codec/json.hpp"

namespace tdz::app::bench {

/// Only the table has colours.
std::string render(const Report& report, BenchFormat format, const Screen& screen);

/// For a terminal: the tables, every result that is wrong, what was left out, the machine.
std::string report_table(const Report& report, const Screen& screen);

/// For docs and issues: the terminal's tables in their brief form.
std::string report_markdown(const Report& report);

/// flat_table, quoted as RFC 4180 says.
std::string report_csv(const Report& report);

/// For programs: the measurements, and the figures that follow from them. docs/bench-json.md explains the
/// fields. A line for each result, so that reports under version control can be compared line by line.
std::string report_json(const Report& report);
inline constexpr std::string_view kBenchSchema = "tdz-bench/1";

/// One page that needs no network: page.html with the report's JSON inside, from which its script draws.
std::string report_html(const Report& report);
/// The file page.html, which CMake puts into the program.
std::string_view page_template();

// ---- The parts of the JSON that CSV has too

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
