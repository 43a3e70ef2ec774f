// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/render.hpp"

#include <spdlog/fmt/fmt.h>

#include <charconv>
#include <string>

#include "app/bench/report/figures.hpp"

namespace tdz::app::bench {

// ---- One result

namespace {

Json timing(const Timing& time) {
  return {{"median", figure(time.median)},
          {"least", figure(time.least)},
          {"most", figure(time.most)},
          {"runs", time.runs}};
}

Json timing(const std::optional<Timing>& time) {
  return time ? timing(*time) : Json(nullptr);
}

Json coding(const Coding& coding) {
  return {{"word", coding.word},
          {"tuple", coding.tuple},
          {"order", coding.order},
          {"zigzag", coding.zigzag},
          {"layout", formats::layout_name(coding)},
          {"big_endian", coding.big_endian}};
}

/// Null where nothing was timed.
Json speed(const Timing& time, std::uint64_t bytes) {
  return time.median > 0 ? figure(time.bytes_per_second(bytes)) : Json(nullptr);
}

Json speed(const std::optional<Timing>& time, std::uint64_t bytes) {
  return time ? speed(*time, bytes) : Json(nullptr);
}

Json fault(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json stages(const Stages& stages) {
  return {{"digest", timing(stages.digest)},
          {"difference", timing(stages.difference)},
          {"pack", timing(stages.pack)},
          {"unpack", timing(stages.unpack)},
          {"integrate", timing(stages.integrate)},
          {"to_device", timing(stages.to_device)},
          {"from_device", timing(stages.from_device)}};
}

Json stage_speeds(const Stages& stages, std::uint64_t bytes) {
  return {{"digest", speed(stages.digest, bytes)},
          {"difference", speed(stages.difference, bytes)},
          {"pack", speed(stages.pack, bytes)},
          {"unpack", speed(stages.unpack, bytes)},
          {"integrate", speed(stages.integrate, bytes)},
          {"to_device", speed(stages.to_device, bytes)},
          {"from_device", speed(stages.from_device, bytes)}};
}

Json limit(const Limit& limit) {
  const double seconds = limit.seconds();
  return {{"bandwidth", figure(limit.bandwidth)},
          {"latency", figure(limit.latency)},
          {"reduction", figure(limit.reduction)},
          {"seconds", figure(seconds)},
          {"binds", seconds > 0 ? Json(limit.binding()) : Json(nullptr)}};
}

}  // namespace

Json figure(double value) {
  const std::string text = fmt::format("{:.4e}", value);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

Json load_json(const std::optional<Load>& load) {
  return {{"before", load ? figure(load->before) : Json(nullptr)},
          {"after", load ? figure(load->after) : Json(nullptr)}};
}

Json figure_or_null(double value) {
  return value > 0 ? figure(value) : Json(nullptr);
}

Json result_json(const RawResult& result) {
  return {{"data", result.data},
          {"level", result.level},
          {"bytes", result.bytes},
          {"stored", result.stored},
          {"ratio", figure_or_null(result.ratio())},
          {"compress", timing(result.compress)},
          {"decompress", timing(result.decompress)},
          {"bytes_per_second",
           {{"compress", speed(result.compress, result.bytes)},
            {"decompress", speed(result.decompress, result.bytes)}}}};
}

Json result_json(const CodecResult& result) {
  Json json = {{"data", result.data}, {"backend", result.backend}};
  json.update(coding(result.coding));
  Json speeds = {{"compress", speed(result.compress, result.bytes)},
                 {"decompress", speed(result.decompress, result.bytes)},
                 {"copy", speed(result.copy, result.bytes)}};
  speeds.update(stage_speeds(result.stages, result.bytes));
  json.update({{"level", result.level},
               {"bytes", result.bytes},
               {"stored", result.stored},
               {"ratio", figure_or_null(result.ratio())},
               {"compress", timing(result.compress)},
               {"decompress", timing(result.decompress)},
               {"stages", stages(result.stages)},
               {"copy", timing(result.copy)},
               {"bytes_per_second", std::move(speeds)},
               {"fault", fault(result.fault)}});
  return json;
}

Json result_json(const ScanResult& result) {
  Json json = {{"backend", result.backend},
               {"scan", result.scan},
               {"direction", direction_name(result.direction)},
               {"shape", shape_name(result.shape)}};
  json.update(coding(result.coding));
  json.update({{"bytes", result.bytes},
               {"chunk_bytes", result.chunk_bytes},
               {"kernel", timing(result.kernel)},
               {"with_copies", timing(result.with_copies)},
               {"copy", timing(result.copy)},
               {"bytes_per_second",
                {{"kernel", speed(result.kernel, result.bytes)},
                 {"with_copies", speed(result.with_copies, result.bytes)},
                 {"copy", speed(result.copy, result.bytes)}}},
               {"share", figure_or_null(result.share())},
               {"limit", limit(result.limit)},
               {"share_of_limit", figure_or_null(result.share_of_limit())},
               {"fault", fault(result.fault)}});
  return json;
}

// ---- The report

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
