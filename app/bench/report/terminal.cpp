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

std::string titled_text(const TitledTable& part, const Screen& screen) {
  return strong(clipped(part.title, screen.table_width(), screen.letters), screen.colours) + "\n" +
         (part.note.empty() ? "" : wrapped("  " + part.note, 2, screen.text_width())) +
         text_table(part.table, screen);
}

std::string section_text(const Section& section, const Screen& screen) {
  std::string text;
  for (const TitledTable& part : section.tables) add(text, titled_text(part, screen));
  return text.empty() ? "" : wrapped(section.note, 0, screen.text_width()) + "\n" + text;
}

std::string faults_text(const Report& report, const Screen& screen) {
  std::string text;
  for (const std::string& fault : faults(report))
    text += alarming(kWrong, screen.colours) +
            wrapped(std::string(kWrong) + " " + fault, 6, screen.text_width()).substr(kWrong.size());
  return text;
}

std::string facts_text(const Report& report, const Screen& screen) {
  std::string text;
  for (const Facts& facts : {run_facts(report), machine_facts(report.machine), model_facts(report.models)})
    for (const auto& [name, fact] : facts)
      text += wrapped(
          fmt::format("{:<{}}{}", clipped(name, kNameWidth - 1, screen.letters), kNameWidth, fact), kNameWidth,
          screen.text_width());
  return text;
}

std::string remarks_text(const Report& report, const Screen& screen) {
  std::string text =
      report.complete ? ""
                      : wrapped("Not everything was measured: the run was interrupted, or an error ended it.", 2,
                                screen.text_width());
  for (const std::string& remark : report.remarks) text += wrapped(printable(remark), 2, screen.text_width());
  return text;
}

}  // namespace

std::string report_table(const Report& report, const Screen& screen) {
  std::string text;
  for (const Section& section : {codec_section(report), scan_section(report), curve_section(report)})
    add(text, section_text(section, screen));
  if (text.empty()) text = "Nothing was measured.\n";
  add(text, faults_text(report, screen));
  add(text, remarks_text(report, screen));
  add(text, facts_text(report, screen));
  return text;
}

}  // namespace tdz::app::bench
