// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report_html.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/bench/facts.hpp"
#include "app/bench/heat.hpp"
#include "app/bench/html_bars.hpp"
#include "app/bench/html_curves.hpp"
#include "app/bench/html_heat_map.hpp"
#include "app/bench/html_style.hpp"
#include "app/bench/html_tables.hpp"
#include "app/bench/html_text.hpp"

namespace tdz::app::bench {
namespace {

struct Section {
  std::string_view id, heading, introduction;
  std::string html;
};

constexpr auto kCodecIntroduction =
    "Compressing and restoring in memory, with one thread: order downwards, tuple across. Speeds are "
    "bytes of numbers a second. Each map says what its colours reach to.";
constexpr auto kStagesIntroduction =
    "Nanoseconds a byte of each stage by itself, one after the other. The mark is the whole way, "
    "measured apart: left of the bar's end where stages overlap, right of it where there is more to "
    "do than they are.";
constexpr auto kScansIntroduction =
    "Kernels by themselves, numbers and residuals in the memory of the one who computes; beside "
    "memcpy of the same bytes and the limit that the memory machine model gives. Rivals open when "
    "asked.";
constexpr auto kCurvesIntroduction = "Both axes are logarithmic. Speeds are bytes of numbers a second.";
constexpr auto kTablesIntroduction =
    "A heading sorts its table. Spread is half the way from the fastest run to the slowest.";

std::string facts_html(const Facts& facts) {
  if (facts.empty()) return "";
  std::string html = "<dl>\n";
  for (const auto& [name, text] : facts)
    html += "<dt>" + escaped(name) + "</dt><dd>" + escaped(text) + "</dd>\n";
  return html + "</dl>\n";
}

std::string scale_html() {
  std::string html = "<p class=\"note\">Colours: low <span class=\"scale\">";
  for (const HeatColour& colour : kHeat)
    html += fmt::format("<span style=\"background:{}\"></span>", colour.hex);
  return html + "</span> high</p>\n";
}

std::string faults_html(const Report& report) {
  const auto list = faults(report);
  if (list.empty()) return "";
  std::string html = fmt::format(
      "<div class=\"alarm\" id=\"faults\"><strong>WRONG: {} of the results</strong>\n<ul>\n", list.size());
  for (const std::string& fault : list) html += "<li>" + escaped(fault) + "</li>\n";
  return html + "</ul></div>\n";
}

std::string remarks_html(const Report& report) {
  std::string html;
  if (!report.complete)
    html +=
        "<div class=\"alarm\" id=\"incomplete\"><strong>Not everything was measured:</strong> the run was "
        "interrupted, or an error ended it.</div>\n";
  for (const std::string& remark : report.remarks) html += "<p>" + escaped(remark) + "</p>\n";
  return html;
}

std::string run_html(const Report& report) {
  std::string html;
  if (!report.command_line.empty()) html += "<pre>" + escaped(command_text(report)) + "</pre>\n";
  Facts facts;
  for (auto& fact : run_facts(report))
    if (fact.first != "command") facts.push_back(fact);
  for (const Facts& more : {machine_facts(report.machine), model_facts(report.models)})
    facts.insert(facts.end(), more.begin(), more.end());
  return html + facts_html(facts);
}

std::vector<Section> sections_of(const Report& report) {
  std::vector<Section> sections;
  const auto add = [&](Section section) {
    if (!section.html.empty()) sections.push_back(std::move(section));
  };
  add({"codec", "The whole codec", kCodecIntroduction, codec_maps(report)});
  add({"stages", "Where the time goes", kStagesIntroduction, stage_bars(report)});
  add({"kernels", "Kernels alone", kScansIntroduction, scan_maps(report)});
  add({"curves", "Speed over length", kCurvesIntroduction, curve_figures(report)});
  add({"tables", "The numbers", kTablesIntroduction, raw_tables(report)});
  return sections;
}

std::string navigation(const std::vector<Section>& sections) {
  if (sections.empty()) return "<p>Nothing was measured.</p>\n";
  std::string html = "<nav aria-label=\"Contents\"><ul>\n";
  for (const Section& section : sections)
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.heading);
  return html + "</ul></nav>\n";
}

std::string section_html(const Section& section) {
  const bool maps = section.id == "codec" || section.id == "kernels";
  return fmt::format("<section id=\"{0}\">\n<h2>{1}</h2>\n<p>{2}</p>\n{3}{4}</section>\n", section.id,
                     section.heading, section.introduction, maps ? scale_html() : "", section.html);
}

/// The policy forbids whatever would leave the page, should anything ever slip through.
std::string head_html() {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n"
      "<title>tdz bench</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n</head>\n",
      page_style());
}

}  // namespace

std::string report_html(const Report& report) {
  const std::vector<Section> sections = sections_of(report);
  std::string html = head_html() + "<body>\n<header>\n<h1>tdz bench</h1>\n" + faults_html(report) +
                     remarks_html(report) + run_html(report) + navigation(sections) + "</header>\n<main>\n";
  for (const Section& section : sections) html += section_html(section);
  return html + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", page_script());
}

}  // namespace tdz::app::bench
