// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/facts.hpp"

#include <spdlog/fmt/fmt.h>

#include "app/bench/report/figures.hpp"
#include "app/options/names.hpp"
#include "app/options/sizes.hpp"

namespace tdz::app::bench {
namespace {

/// Of a processor only the bandwidth is known.
std::string model_text(const MachineModel& model) {
  const std::string width = fmt::format("w {}", speed_text(model.bytes_per_second));
  if (model.latency == 0) return width;
  return fmt::format("{}, l {}, p {:.0f} threads, {:g} bytes an access", width, seconds_text(model.latency),
                     model.threads, model.access_bytes);
}

void add(Facts& facts, std::string name, std::string_view text) {
  if (!text.empty()) facts.emplace_back(std::move(name), printable(text));
}

}  // namespace

std::string load_text(const Report& report) {
  std::string text;
  if (report.load)
    text = fmt::format("{:.2f} before the run, {:.2f} after it", report.load->before, report.load->after);
  if (report.cpu_share)
    text += fmt::format("{}{:.0f} % of a processor for the run", text.empty() ? "" : "; ",
                        100 * *report.cpu_share);
  return text;
}

std::string command_text(const Report& report) {
  std::string text = "tdz";
  for (const std::string& word : report.command_line) text += " " + shell_word(word);
  return printable(text);
}

Facts run_facts(const Report& report) {
  Facts facts;
  if (!report.command_line.empty()) facts.emplace_back("command", command_text(report));
  add(facts, "started", report.started);
  if (report.seconds > 0) add(facts, "took", seconds_text(report.seconds));
  add(facts, "load", load_text(report));
  return facts;
}

Facts machine_facts(const Machine& machine) {
  Facts facts;
  add(facts, "processor", machine.processor);
  if (machine.cores > 0) add(facts, "cores", fmt::format("{}", machine.cores));
  add(facts, "pinned", machine.pinned);
  add(facts, "clock", machine.clock);
  if (machine.memory > 0) add(facts, "memory", format_size(machine.memory));
  add(facts, "instructions", machine.instructions);
  add(facts, "device", machine.device);
  add(facts, "driver", machine.driver);
  add(facts, "CUDA", machine.cuda);
  add(facts, "system", machine.system);
  add(facts, "compiler", machine.compiler);
  add(facts, "tdz", machine.tdz);
  add(facts, "zstd", machine.zstd);
  return facts;
}

Facts model_facts(const std::vector<MachineModel>& models) {
  Facts facts;
  for (const MachineModel& model : models)
    facts.emplace_back("model, " + printable(model.backend), model_text(model));
  return facts;
}

std::vector<std::string> faults(const Report& report) {
  std::vector<std::string> list;
  for (const CodecResult& cell : report.codec) {
    if (!cell.fault.empty()) list.push_back(codec_title(report, cell) + ": " + printable(cell.fault));
  }
  for (const auto* scans : {&report.scans, &report.curves})
    for (const ScanResult& scan : *scans)
      if (!scan.fault.empty()) list.push_back(scan_cell_title(scan) + ": " + printable(scan.fault));
  return list;
}

}  // namespace tdz::app::bench
