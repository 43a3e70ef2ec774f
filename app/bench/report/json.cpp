// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"
#include "app/bench/report/result_json.hpp"

namespace tdz::app::bench {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json machine_json(const Machine& machine) {
  return {{"processor", text_or_null(machine.processor)},
          {"cores", machine.cores},
          {"pinned", text_or_null(machine.pinned)},
          {"clock", text_or_null(machine.clock)},
          {"memory", machine.memory},
          {"system", text_or_null(machine.system)},
          {"compiler", text_or_null(machine.compiler)},
          {"tdz", text_or_null(machine.tdz)},
          {"zstd", text_or_null(machine.zstd)},
          {"instructions", text_or_null(machine.instructions)},
          {"device", text_or_null(machine.device)},
          {"driver", text_or_null(machine.driver)},
          {"cuda", text_or_null(machine.cuda)}};
}

Json result_json(const MachineModel& model) {
  return {{"backend", model.backend},
          {"bytes_per_second", figure_or_null(model.bytes_per_second)},
          {"latency", figure_or_null(model.latency)},
          {"threads", model.threads > 0 ? Json(model.threads) : Json(nullptr)},
          {"access_bytes", figure_or_null(model.access_bytes)}};
}

Json result_json(const DataSet& data) {
  return {{"name", data.name},
          {"bytes", data.bytes},
          {"type", formats::type_name(data.type)},
          {"generated", data.generated}};
}

template <class Results>
Json results_json(const Results& results) {
  Json list = Json::array();
  for (const auto& result : results) list.push_back(result_json(result));
  return list;
}

/// An array of objects has one line for each object.
std::string value_text(const Json& value) {
  if (!value.is_array() || value.empty() || !value.front().is_object()) return dump(value);
  std::string text = "[";
  for (const Json& object : value) text += (text.size() > 1 ? ",\n" : "\n") + dump(object);
  return text + "\n]";
}

}  // namespace

std::string report_json(const Report& report) {
  const Json json = {{"schema", kBenchSchema},
                     {"command_line", report.command_line},
                     {"started", text_or_null(report.started)},
                     {"seconds", figure(report.seconds)},
                     {"load", load_json(report.load)},
                     {"cpu_share", report.cpu_share ? figure(*report.cpu_share) : Json(nullptr)},
                     {"complete", report.complete},
                     {"remarks", report.remarks},
                     {"machine", machine_json(report.machine)},
                     {"models", results_json(report.models)},
                     {"data", results_json(report.data)},
                     {"raw", results_json(report.raw)},
                     {"codec", results_json(report.codec)},
                     {"scans", results_json(report.scans)},
                     {"curves", results_json(report.curves)}};
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += (text.size() > 1 ? ",\n" : "\n") + dump(key) + ":" + value_text(value);
  return text + "\n}\n";
}

}  // namespace tdz::app::bench
