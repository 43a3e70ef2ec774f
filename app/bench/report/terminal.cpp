// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/terminal.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/bench/report/codec_table.hpp"
#include "app/bench/report/facts.hpp"
#include "app/bench/report/figures.hpp"
#include "app/bench/report/scan_tables.hpp"
#include "app/options/names.hpp"

namespace tdz::app::bench {
namespace {

constexpr std::size_t kNameWidth = 14;
constexpr std::string_view kWrong = "WRONG";

constexpr auto kCodecNote =
    "The whole codec in memory, one thread: ratio, MB/s compressed and restored (comp, deco); MB/s of each "
    "stage alone: difference, integrate, zstd both ways, digest, copies to and from the device; half the "
    "spread in %.";
constexpr auto kScanNote =
    "Kernels alone: GB/s, and the share of memcpy of the same bytes beside it; l or r where the limit is "
    "set by latency or reduction instead of bandwidth.";
constexpr auto kCurveNote = "Kernels over lengths: GB/s, beside memcpy of the same bytes.";

/// A part after an empty line, if there is any.
void add(std::string& text, const std::string& part) {
  if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
}

std::string noted(const std::string& note, const std::string& tables) {
  return tables.empty() ? "" : wrapped(note, 0) + "\n" + tables;
}

std::string codec_text(const Report& report, Colours colours) {
  std::string text;
  for (std::size_t i = 0; i < report.data.size(); ++i) {
    const std::string table = codec_table(report, i, colours);
    if (!table.empty())
      add(text, strong(clipped(data_title(report.data[i]), kTableWidth), colours) + "\n" + table);
  }
  return noted(kCodecNote, text);
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
  std::string text = codec_text(report, colours);
  add(text, noted(kScanNote, scan_tables(report.scans, colours)));
  add(text, noted(kCurveNote, curve_tables(report.curves, colours)));
  if (text.empty()) text = "Nothing was measured.\n";
  add(text, faults_text(report, colours));
  add(text, remarks_text(report));
  add(text, facts_text(report));
  return text;
}

}  // namespace tdz::app::bench
