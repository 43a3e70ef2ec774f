// SPDX-License-Identifier: Apache-2.0
// Is the CSV one table with a line for every result, for all names of files?
#include "app/bench/report/render.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "app/options/names.hpp"
#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app;
using namespace tdz::app::bench;

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Reads CSV as RFC 4180 defines it.
Rows read_csv(const std::string& text) {
  Rows rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      row.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      row.emplace_back();
    } else if (c == '\n' && !quoted) {
      rows.push_back(std::exchange(row, std::vector<std::string>(1)));
    } else {
      row.back() += c;
    }
  }
  CHECK_FALSE(quoted);
  CHECK(row == std::vector<std::string>(1));  // the last line ends with a line feed
  return rows;
}

std::map<std::string, std::string> named(const Rows& rows, std::size_t line) {
  std::map<std::string, std::string> fields;
  for (std::size_t i = 0; i < rows[0].size(); ++i) fields[rows[0][i]] = rows[line].at(i);
  return fields;
}

}  // namespace

TEST_CASE("the CSV has a line for every result, and the same fields in each") {
  const Report report = full_report();
  const std::string text = report_csv(report);
  const Rows rows = read_csv(text);
  const std::size_t results =
      report.raw.size() + report.codec.size() + report.scans.size() + report.curves.size();
  CHECK(rows.size() == 1 + results);
  CHECK(static_cast<std::size_t>(std::ranges::count(text, '\n')) == 1 + results);
  for (const auto& row : rows) CHECK(row.size() == rows[0].size());
}

TEST_CASE("each figure is in the column of its name") {
  const Report report = full_report();
  const Rows rows = read_csv(report_csv(report));
  const auto raw = named(rows, 1);
  CHECK(raw.at("kind") == "raw");
  CHECK(raw.at("data") == printable(kHostileName));
  CHECK(raw.at("word").empty());
  const auto codec = named(rows, 1 + report.raw.size() + 3);
  CHECK(codec.at("kind") == "codec");
  CHECK(codec.at("fault") == report.codec[3].fault);
  CHECK(std::stod(codec.at("stages.pack.median")) == doctest::Approx(report.codec[3].stages.pack.median));
  CHECK(codec.at("stages.to_device.median").empty());
  const auto scan = named(rows, 1 + report.raw.size() + report.codec.size());
  CHECK(scan.at("kind") == "scan");
  CHECK(scan.at("limit.binds") == "bandwidth");
  CHECK(std::stod(scan.at("share")) == doctest::Approx(report.scans[0].share()));
  CHECK(named(rows, rows.size() - 1).at("kind") == "curve");
  for (const std::size_t row : {std::size_t{1}, rows.size() - 1}) {
    CHECK(named(rows, row).at("load.after") == "1.5");
    CHECK(named(rows, row).at("cpu_share") == "0.975");
  }
}

TEST_CASE("the headings do not depend on what was measured") {
  const Rows none = read_csv(report_csv({}));
  REQUIRE(none.size() == 1);
  CHECK(none[0] == read_csv(report_csv(full_report()))[0]);
  CHECK(std::ranges::find(none[0], "stages.to_device.median") != none[0].end());
  CHECK(std::ranges::find(none[0], "with_copies.median") != none[0].end());
}

TEST_CASE("no text is a formula, and numbers stay numbers") {
  const auto cell_of = [](const std::string& name) {
    Report report = small_report();
    report.data[0].name = name;
    const Rows rows = read_csv(report_csv(report));
    for (std::size_t line = 1; line < rows.size(); ++line)
      for (const std::string& cell : rows[line])
        CHECK((cell.empty() || std::string_view("=+-@\t\r").find(cell[0]) == std::string_view::npos));
    return named(rows, 1).at("data");
  };
  CHECK(cell_of("=HYPERLINK(\"http:evil\",\"x\")") == "'=HYPERLINK(\"http:evil\",\"x\")");
  CHECK(cell_of("+1") == "'+1");
  CHECK(cell_of("-1.raw") == "'-1.raw");
  CHECK(cell_of("@sum") == "'@sum");
  CHECK(cell_of("  =1") == "'  =1");
  CHECK(cell_of("＝1") == "'＝1");
  CHECK(cell_of("'=1") == "''=1");  // another name than =1
  CHECK(cell_of("\t=1") == "\\x09=1");
  CHECK(cell_of("a=1") == "a=1");
  Report report = small_report();
  report.codec[0].fault = "=1+1";
  const Rows rows = read_csv(report_csv(report));
  CHECK(named(rows, 1 + report.raw.size()).at("fault") == "'=1+1");
  CHECK(named(rows, 1 + report.raw.size()).at("order") == "0");
  CHECK(std::stod(named(rows, 1).at("ratio")) == doctest::Approx(report.raw[0].ratio()).epsilon(1e-4));
}
