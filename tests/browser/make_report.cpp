// SPDX-License-Identifier: Apache-2.0
// Writes a report with made figures: make_report small|full|large|empty table|colours|json|csv|markdown|html
#include <iostream>
#include <map>
#include <string>

#include "app/bench/report/render.hpp"
#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app;
using namespace tdz::app::bench;

int main(int count, char** arguments) {
  const std::map<std::string, Report (*)()> reports{{"small", small_report},
                                                    {"full", full_report},
                                                    {"large", large_report},
                                                    {"empty", [] { return Report{}; }}};
  const std::map<std::string, BenchFormat> formats{
      {"table", BenchFormat::table}, {"colours", BenchFormat::table},     {"json", BenchFormat::json},
      {"csv", BenchFormat::csv},     {"markdown", BenchFormat::markdown}, {"html", BenchFormat::html}};
  if (count != 3 || !reports.contains(arguments[1]) || !formats.contains(arguments[2])) {
    std::cerr << "make_report small|full|large|empty table|colours|json|csv|markdown|html\n";
    return 1;
  }
  const std::string format = arguments[2];
  std::cout << render(reports.at(arguments[1])(), formats.at(format),
                      Screen{.colours = format == "colours" ? Colours::heat : Colours::plain});
  return std::cout.flush() ? 0 : 1;
}
