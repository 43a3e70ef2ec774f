// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"

namespace tdz::app::bench {

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
