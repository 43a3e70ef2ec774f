// SPDX-License-Identifier: Apache-2.0
// Does the page hold the whole report, and does every name stay inside the report's element? tests/browser
// tests what a browser draws.
#include "app/bench/report/render.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/bench/report/tables.hpp"
#include "tests/app/bench/synthetic_report.hpp"

using namespace tdz::app;
using namespace tdz::app::bench;

namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

/// The content of the first script element as a browser sees it: all text up to the next "</script".
std::string report_element(std::string_view html) {
  constexpr std::string_view kBegin = "<script type=\"application/json\" id=\"report\">";
  const auto begin = html.find(kBegin) + kBegin.size();
  return std::string(html.substr(begin, html.find("</script", begin) - begin));
}

}  // namespace

TEST_CASE("the page holds the report's JSON") {
  for (const Report& report : {full_report(), large_report(), small_report(), Report{}})
    CHECK(nlohmann::json::parse(report_element(report_html(report))) ==
          nlohmann::json::parse(report_json(report)));
}

TEST_CASE("a report adds no markup to the page") {
  const std::string html = report_html(full_report());
  for (const auto* markup : {"<", "<script", "</script", "<!--", "<b "}) {
    CAPTURE(markup);
    CHECK(count(html, markup) == count(page_template(), markup));
  }
  CHECK(count(html, "\\u003c/script>\\u003cscript>alert(1)") == count(html, "alert(1)"));
  CHECK(count(html, "alert(1)") > 3);
  CHECK(html.find('\x1b') == std::string::npos);
  CHECK(html.find('\xff') == std::string::npos);
}

TEST_CASE("the page needs nothing from elsewhere") {
  const std::string_view page = page_template();
  CHECK(count(page, "default-src 'none'") == 1);
  CHECK(count(page, "http:") == count(page, "'http://www.w3.org/2000/svg'"));  // a name, no address
  for (const auto* foreign : {"https:", "url(", "@import", " src=", " onload=", " onclick=", "innerHTML"}) {
    CAPTURE(foreign);
    CHECK(page.find(foreign) == std::string_view::npos);
  }
}

TEST_CASE("the page of the whole grid of a GPU is not too long") {
  CHECK(report_html(large_report()).size() < 6'000'000);
}

TEST_CASE("the style sheet paints the steps of the scale") {
  for (std::size_t i = 0; i < kHeat.size(); ++i) {
    const std::string step = ".h" + std::to_string(i), hex(kHeat.at(i).hex);
    CHECK(count(page_template(),
                step + " rect, .scale " + step + " { fill: " + hex + "; background: " + hex + "; }") == 1);
    CHECK(count(page_template(), step + " text") == (kHeat.at(i).light ? 1u : 0u));
  }
}

TEST_CASE("render gives the format that the options name") {
  const Report report = small_report();
  CHECK(render(report, BenchFormat::html, Screen{.colours = Colours::heat}) == report_html(report));
  CHECK(render(report, BenchFormat::json, Screen{.colours = Colours::heat})
            .starts_with("{\n\"schema\":\"tdz-bench/1\""));
  CHECK(render(report, BenchFormat::csv, Screen{.colours = Colours::heat}).starts_with("kind,"));
  CHECK(
      render(report, BenchFormat::markdown, Screen{.colours = Colours::heat}).starts_with("## tdz bench\n"));
  CHECK(render(report, BenchFormat::table, Screen{.colours = Colours::heat}) !=
        render(report, BenchFormat::table, Screen{}));
}
