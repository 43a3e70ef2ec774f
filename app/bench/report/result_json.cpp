// SPDX-License-Identifier: Apache-2.0
#include "app/bench/report/result_json.hpp"

#include <spdlog/fmt/fmt.h>

#include <charconv>
#include <string>

#include "app/bench/report/figures.hpp"

namespace tdz::app::bench {
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
          {"layout", formats::layout_name(coding.layout)},
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

}  // namespace tdz::app::bench
