// SPDX-License-Identifier: Apache-2.0
// Are the tables complete, and does no name become markup?
#include "app/bench/report/render.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app::bench;

namespace {

/// Bars between fields: those without a backslash before them.
std::size_t bars(const std::string& line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else {
      count += line[i] == '|' ? 1u : 0u;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every row of a table has as many fields as its head") {
  std::istringstream text(report_markdown(full_report()));
  std::size_t wanted = 0, rows = 0;
  for (std::string line; std::getline(text, line);) {
    const bool row = line.starts_with("|");
    if (row && wanted == 0) wanted = bars(line);
    if (!row) wanted = 0;
    if (!row) continue;
    CAPTURE(line);
    CHECK(bars(line) == wanted);
    ++rows;
  }
  CHECK(rows > full_report().codec.size());
}

TEST_CASE("no name becomes Markdown or HTML; the command is code") {
  std::istringstream text(report_markdown(full_report()));
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("    ")) continue;
    for (std::size_t at = line.find('<'); at != std::string::npos; at = line.find('<', at + 1)) {
      CAPTURE(line);
      CHECK((at > 0 && line[at - 1] == '\\'));
    }
  }
}

TEST_CASE("the Markdown names what is wrong and the share of memcpy") {
  const std::string full = report_markdown(full_report());
  CHECK(full.find("**WRONG**") != std::string::npos);
  CHECK(full.find("Not everything was measured") != std::string::npos);
  const std::string text = report_markdown(small_report());
  CHECK(text.find("| i16x2 | tuple-planes | cpu | 0 | 3 | 2.667 | 194 | 960 |\n") != std::string::npos);
  CHECK(text.find("limit 13.5 GB/s, bandwidth binds") != std::string::npos);
  CHECK(text.find("Load: 0.25 before the run, 1.50 after it; 98 % of a processor for the run.") !=
        std::string::npos);
  CHECK(text.find("| 0 | 94 |\n") != std::string::npos);
  CHECK(text.find("**WRONG**") == std::string::npos);
}

TEST_CASE("an empty report is only a heading") {
  CHECK(report_markdown({}) == "## tdz bench\n");
}
