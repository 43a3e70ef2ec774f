// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"

namespace tdz::app::bench {

// ---- HTML

namespace {

constexpr std::string_view kPlace = ">REPORT<";

/// In JSON a "<" stands only inside strings. Written as an escape it cannot end the script element, whatever
/// a file is called.
std::string without_tags(const std::string& json) {
  std::string text;
  for (const char c : json) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

}  // namespace

std::string report_html(const Report& report) {
  std::string page(page_template());
  return page.replace(page.find(kPlace) + 1, kPlace.size() - 2, without_tags(report_json(report)));
}

// ---- Every format

std::string render(const Report& report, BenchFormat format, const Screen& screen) {
  switch (format) {
    case BenchFormat::json:
      return report_json(report);
    case BenchFormat::csv:
      return report_csv(report);
    case BenchFormat::markdown:
      return report_markdown(report);
    case BenchFormat::html:
      return report_html(report);
    case BenchFormat::table:
      break;
  }
  return report_table(report, screen);
}

}  // namespace tdz::app::bench
