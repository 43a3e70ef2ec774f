// SPDX-License-Identifier: Apache-2.0
// What are the lines of the table?
#include "app/roundtrip/report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/app/roundtrip/sample_report.hpp"

using namespace tdz;
using namespace tdz::app::roundtrip;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t count_of(const std::vector<std::string>& lines, const std::string& wanted) {
  return static_cast<std::size_t>(std::ranges::count(lines, wanted));
}

}  // namespace

TEST_CASE("one line for each word and layout, each failed cell once, the sum at the end") {
  const auto lines = lines_of(table_text(test::report_of_everything(), CellLines::hidden));
  for (const auto* line : {
           "data: 4000 bytes in 3 chunks",
           "   4  planes            2       1       1           0",
           "   8  planes            1       1       0           0",
           "   8  interleaved       1       0       1           0",
           "FAILED word 4, tuple 3, order 5, planes, level 1",
           "  coded by cpu, restored by cuda: value 1000 is wrong",
           "FAILED word 8, tuple 3, order 5, interleaved, level 1",
           "  cpu failed to code chunk 0",
           "    chunk 0, from byte 0 of the file on: it said <\\x1b>",
           "  coded by cpu, restored by cuda: no result for chunk 0",
           "FAILED word 8, tuple 3, order 5, bit-planes, level 1",
           "<&\"x'>\\x0a\\x1b[31m\\xe9\\xef\\xbf\\xbf]]>: 2000 bytes in 2 chunks, incomplete",
           "   1  interleaved       1       0       0           1",
           "missing: No such file or directory",
           "cuda: a GPU <\"&\">",
       }) {
    CAPTURE(line);
    CHECK(count_of(lines, line) == 1);
  }
  CHECK(lines.back() == "7 cells, 2 passed, 3 failed, 2 incomplete; interrupted");
  CHECK(std::ranges::none_of(lines, [](const std::string& line) { return line.starts_with("passed "); }));
}

TEST_CASE("packed groups have a line of their own, beside interleaved words") {
  Report report;
  report.files = {{.name = "data", .bytes = 10, .chunks = 1, .complete = true, .error = {}, .cells = {}}};
  report.files[0].cells = {test::cell(4, Layout::interleaved, 10), test::cell(4, Layout::interleaved, 10)};
  report.files[0].cells[1].coding.packed = true;
  const auto lines = lines_of(table_text(report, CellLines::shown));
  CHECK(count_of(lines, "   4  interleaved       1       1       0           0") == 1);
  CHECK(count_of(lines, "   4  packed            1       1       0           0") == 1);
  CHECK(count_of(lines, "passed     word 4, tuple 3, order 5, packed, level 1, ratio 2.00") == 1);
}

TEST_CASE("every cell, if the user asks for it") {
  const auto lines = lines_of(table_text(test::report_of_everything(), CellLines::shown));
  CHECK(count_of(lines, "passed     word 4, tuple 3, order 5, planes, level 1, ratio 2.00") == 1);
  CHECK(count_of(lines, "failed     word 4, tuple 3, order 5, planes, level 1, ratio 2.00") == 1);
  CHECK(count_of(lines, "incomplete word 2, tuple 3, order 5, interleaved, level 1, ratio 2.00") == 1);
}
