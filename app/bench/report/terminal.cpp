// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/bench/report/facts.hpp"
#include "app/bench/report/render.hpp"
#include "app/bench/report/tables.hpp"
#include "app/bench/report/text_table.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

constexpr std::size_t kNameWidth = 14;
constexpr std::string_view kWrong = "WRONG";

/// Adds a part after an empty line. Skips an empty part.
void add(std::string& text, const std::string& part) {
  if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
}

std::string titled_text(const TitledTable& part, Colours colours) {
  return strong(clipped(part.title, kTableWidth), colours) + "\n" +
         (part.note.empty() ? "" : wrapped("  " + part.note, 2)) + text_table(part.table, colours);
}

std::string section_text(const Section& section, Colours colours) {
  std::string text;
  for (const TitledTable& part : section.tables) add(text, titled_text(part, colours));
  return text.empty() ? "" : wrapped(section.note, 0) + "\n" + text;
}

std::string faults_text(const Report& report, Colours colours) {
  std::string text;
  for (const std::string& fault : faults(report))
    text += alarming(kWrong, colours) + wrapped(std::string(kWrong) + " " + fault, 6).substr(kWrong.size());
  return text;
}

std::string facts_text(const Report& report) {
  std::string text;
  for (const Facts& facts : {run_facts(report), machine_facts(report.machine), model_facts(report.models)})
    for (const auto& [name, fact] : facts)
      text += wrapped(fmt::format("{:<{}}{}", clipped(name, kNameWidth - 1), kNameWidth, fact), kNameWidth);
  return text;
}

std::string remarks_text(const Report& report) {
  std::string text =
      report.complete ? "" : "Not everything was measured: the run was interrupted, or an error ended it.\n";
  for (const std::string& remark : report.remarks) text += wrapped(printable(remark), 2);
  return text;
}

}  // namespace

std::string report_table(const Report& report, Colours colours) {
  std::string text;
  for (const Section& section : {codec_section(report), scan_section(report), curve_section(report)})
    add(text, section_text(section, colours));
  if (text.empty()) text = "Nothing was measured.\n";
  add(text, faults_text(report, colours));
  add(text, remarks_text(report));
  add(text, facts_text(report));
  return text;
}

}  // namespace tdz::app::bench
