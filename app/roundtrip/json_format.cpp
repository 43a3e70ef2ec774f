// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/reports/json_parts.hpp"
#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {
namespace {

std::string_view fault_name(RoundtripFault fault) {
  switch (fault) {
    case RoundtripFault::coding:
      return "coding";
    case RoundtripFault::disagreement:
      return "disagreement";
    case RoundtripFault::restoring:
      return "restoring";
    case RoundtripFault::wrong_value:
      break;
  }
  return "wrong-value";
}

/// Numbers stand there as text too: some readers of JSON do not hold 64 bits.
std::string hex(std::uint64_t number, unsigned width) {
  return fmt::format("0x{:0{}x}", number, 2 * width);
}

Json value_json(const ComparedValue& value, unsigned width) {
  return {{"value", value.value},
          {"lane", value.lane},
          {"expected", value.expected},
          {"found", value.found},
          {"expected_hex", hex(value.expected, width)},
          {"found_hex", hex(value.found, width)}};
}

Json mismatch_json(const Mismatch& mismatch) {
  Json json = value_json(mismatch.first, mismatch.width);
  json["offset"] = mismatch.offset;
  json["width"] = mismatch.width;
  Json around = Json::array();
  for (const ComparedValue& value : mismatch.around) around.push_back(value_json(value, mismatch.width));
  json["around"] = std::move(around);
  return json;
}

Json failure_json(const RoundtripFailure& failure) {
  Json json = {{"fault", fault_name(failure.fault)}, {"coder", failure.coder}};
  if (failure.fault == RoundtripFault::disagreement) json["other_coder"] = failure.restorer;
  if (failure.fault == RoundtripFault::restoring || failure.fault == RoundtripFault::wrong_value) {
    json["restorer"] = failure.restorer;
  }
  json["chunk"] = failure.chunk;
  json["chunk_offset"] = failure.chunk_offset;
  if (!failure.detail.empty()) json["detail"] = failure.detail;
  if (failure.mismatch) json["mismatch"] = mismatch_json(*failure.mismatch);
  return json;
}

Json cell_json(const FileReport& file, const Cell& cell) {
  Json json = {{"word", cell.coding.word},
               {"tuple", cell.coding.tuple},
               {"order", cell.coding.order},
               {"zigzag", cell.coding.zigzag},
               {"layout", formats::layout_name(cell.coding)},
               {"level", cell.level},
               {"verdict", verdict_name(verdict(file, cell))},
               {"bytes", cell.bytes},
               {"packed_bytes", cell.packed_bytes}};
  if (cell.failures.empty()) return json;
  Json failures = Json::array();
  for (const RoundtripFailure& failure : cell.failures) failures.push_back(failure_json(failure));
  json["failures"] = std::move(failures);
  return json;
}

Json counts_json(const Counts& counts) {
  return {{"cells", counts.cells},
          {"passed", counts.passed},
          {"failed", counts.failed},
          {"incomplete", counts.incomplete}};
}

std::string file_text(const FileReport& file) {
  Json json = {{"name", file.name},         {"bytes", file.bytes},
               {"chunks", file.chunks},     {"seconds", file.seconds},
               {"complete", file.complete}, {"counts", counts_json(counts_of(file))}};
  if (file.error) json["error"] = error_json(*file.error);
  std::string text = dump(json);
  text.pop_back();  // the closing brace: the cells follow, one on each line
  text += R"(,"cells":[)";
  for (const Cell& cell : file.cells) {
    text += (&cell == &file.cells.front() ? "\n" : ",\n") + dump(cell_json(file, cell));
  }
  return text + "]}";
}

Json head_json(const Report& report) {
  Json backends = Json::array();
  for (const BackendUsed& backend : report.backends) {
    backends.push_back({{"name", backend.name}, {"description", backend.description}});
  }
  return {{"schema", "tdz-roundtrip/1"},
          {"tdz", report.version},
          {"zstd", report.zstd},
          {"complete", report.complete},
          {"backends", std::move(backends)},
          {"threads", report.threads},
          {"chunk_bytes", report.chunk_bytes},
          {"counts", counts_json(counts_of(report))}};
}

}  // namespace

std::string json_text(const Report& report) {
  std::string text = dump(head_json(report));
  text.pop_back();
  text += R"(,"files":[)";
  for (const FileReport& file : report.files) {
    text += (&file == &report.files.front() ? "\n" : ",\n") + file_text(file);
  }
  return text + "\n]}\n";
}

}  // namespace tdz::app::roundtrip
