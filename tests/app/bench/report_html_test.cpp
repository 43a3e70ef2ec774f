// SPDX-License-Identifier: Apache-2.0
// Is the page well-formed and whole, and does no name become markup? What a browser makes of it:
// tests/browser.
#include "app/bench/report_html.hpp"

#include <doctest/doctest.h>

#include <array>

#include "app/bench/heat.hpp"
#include "app/bench/html_style.hpp"
#include "app/bench/html_text.hpp"
#include "app/bench/render.hpp"
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

bool is_void(std::string_view name) {
  constexpr std::array<std::string_view, 3> kVoid{"meta", "link", "!DOCTYPE"};
  return std::ranges::find(kVoid, name) != kVoid.end();
}

/// What is wrong with the nesting of elements; empty: nothing. Style and script are skipped: they hold no
/// markup.
std::string nesting_fault(std::string_view html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string_view::npos) return "a tag without an end";
    std::string_view tag = html.substr(at + 1, end - at - 1);
    at = end;
    if (tag.find('<') != std::string_view::npos) return "< within a tag: " + std::string(tag);
    if (count(tag, "\"") % 2 != 0) return "an open quote: " + std::string(tag);
    if (tag.ends_with('/')) continue;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "not open: " + std::string(tag);
      open.pop_back();
      continue;
    }
    const std::string name(tag.substr(0, tag.find(' ')));
    if (is_void(name)) continue;
    open.push_back(name);
    if (name == "style" || name == "script") at = html.find("</" + name, at);
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace

TEST_CASE("elements are nested") {
  CHECK(nesting_fault(report_html(full_report())) == "");
  CHECK(nesting_fault(report_html(large_report())) == "");
  CHECK(nesting_fault(report_html(small_report())) == "");
  CHECK(nesting_fault(report_html({})) == "");
  CHECK(nesting_fault("<p><b></p></b>") == "not open: /p");
  CHECK(nesting_fault("<p>") == "never closed: p");
}

TEST_CASE("every cell, point and row is there") {
  const Report report = full_report();
  const std::string html = report_html(report);
  CHECK(count(html, "<g class=\"cell ") == 3 * (report.codec.size() + report.scans.size()));
  CHECK(count(html, "class=\"cell wrong\"") == 3 * 2);
  CHECK(count(html, "<circle class=\"point") == report.curves.size() - 1);  // one was never timed
  CHECK(count(html, "<circle class=\"point wrong\"") == 1);
  for (const auto* reference : {"copy", "limit"})  // one in each of 12 panels, and in the legend
    CHECK(count(html, std::string("<g class=\"line ") + reference + "\"><polyline points=\"") == 12 + 1);
  CHECK(count(html, "<g class=\"bar\">") == report.codec.size());
  CHECK(count(html, "<tr><td") ==
        report.raw.size() + report.codec.size() + report.scans.size() + report.curves.size());
}

TEST_CASE("a cell shows its value and says more when pointed at") {
  const std::string html = report_html(small_report());
  CHECK(count(html, "data-order=\"2\" data-tuple=\"2\" data-value=\"3.6\"") == 1);
  CHECK(count(html, "<title>order 2, tuple 2: ratio 3.600, compresses 178 MB/s, restores 920 MB/s</title>") ==
        3);
  CHECK(count(html, ">3.60</text>") == 1);
  CHECK(count(html, "94 % of memcpy, 90 % of the limit (bandwidth binds)") == 3);
}

TEST_CASE("every picture has a role and a title") {
  const std::string html = report_html(full_report());
  CHECK(count(html, "<svg ") > 20);
  CHECK(count(html, "<svg role=\"img\"") == count(html, "<svg "));
  CHECK(count(html, "<svg ") ==
        count(html, "</title>\n<text class=\"axis\"") + count(html, "class=\"sample\"") +
            count(html, "<title>Speed by number of values") + count(html, "<title>Time of each stage"));
}

TEST_CASE("no name becomes markup, nothing comes from elsewhere") {
  const std::string html = report_html(full_report());
  CHECK(count(html, "<script") == 1);
  CHECK(count(html, "alert(1)") > 5);
  CHECK(count(html, "&lt;script&gt;alert(1)") == count(html, "alert(1)"));
  CHECK(count(html, "<b ") == 0);
  CHECK(html.find('\x1b') == std::string::npos);
  CHECK(html.find('\xff') == std::string::npos);
  for (const auto* foreign : {"http:", "https:", "url(", "@import", " src=", " onload=", " onclick="}) {
    CAPTURE(foreign);
    CHECK(html.find(foreign) == std::string::npos);
  }
  CHECK(escaped("<a href=\"x\">'&\n") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\x0a");
}

TEST_CASE("the page says what is wrong and what is missing") {
  const std::string full = report_html(full_report()), small = report_html(small_report());
  CHECK(count(full, "WRONG: 3 of the results") == 1);
  CHECK(count(full, "id=\"incomplete\"") == 1);
  CHECK(count(small, "id=\"faults\"") == 0);
  CHECK(count(small, "id=\"incomplete\"") == 0);
  CHECK(count(report_html({}), "Nothing was measured.") == 1);
}

TEST_CASE("the whole grid of a GPU stays a page that loads at once") {
  CHECK(report_html(large_report()).size() < 6'000'000);
}

TEST_CASE("the style sheet paints the steps of the scale") {
  for (std::size_t i = 0; i < kHeat.size(); ++i) {
    const std::string step = ".h" + std::to_string(i);
    CHECK(count(page_style(), step + " rect { fill: " + std::string(kHeat.at(i).hex) + "; }") == 1);
    CHECK(count(page_style(), step + " text") == (kHeat.at(i).light ? 1u : 0u));
  }
}

TEST_CASE("each format is what it is called") {
  const Report report = small_report();
  CHECK(render(report, BenchFormat::html, Colours::heat) == report_html(report));
  CHECK(render(report, BenchFormat::json, Colours::heat).starts_with("{\n\"schema\":\"tdz-bench/1\""));
  CHECK(render(report, BenchFormat::csv, Colours::heat).starts_with("kind,"));
  CHECK(render(report, BenchFormat::markdown, Colours::heat).starts_with("## tdz bench\n"));
  CHECK(render(report, BenchFormat::table, Colours::heat) !=
        render(report, BenchFormat::table, Colours::plain));
}
