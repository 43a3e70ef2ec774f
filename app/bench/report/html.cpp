// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"

namespace tdz::app::bench {
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

}  // namespace tdz::app::bench
