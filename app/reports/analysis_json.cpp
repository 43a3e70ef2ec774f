// SPDX-License-Identifier: Apache-2.0
#include "app/reports/analysis_json.hpp"

#include "app/reports/json_parts.hpp"

namespace tdz::app {
namespace {

Json with_size(Json json, const Analysis& analysis, std::uint64_t packed_bytes) {
  json["packed_bytes"] = packed_bytes;
  json["ratio"] = ratio_json(analysis.sampled_bytes, packed_bytes);
  return json;
}

Json choices(const FileAnalysis& file) {
  Json list = Json::array();
  for (const Plan& chosen : file.analysis.chosen) {
    Json choice = plan_json(chosen);
    choice["command"] = command_for(file, chosen);
    list.push_back(std::move(choice));
  }
  return list;
}

Json candidates(const Analysis& analysis) {
  Json list = Json::array();
  for (const Candidate& candidate : analysis.candidates)
    list.push_back(with_size(plan_json(candidate.plan), analysis, candidate.packed_bytes));
  return list;
}

Json grid(const Analysis& analysis) {
  Json list = Json::array();
  for (const GridCell& cell : analysis.grid)
    list.push_back(with_size({{"order", cell.order}, {"tuple", cell.tuple}}, analysis, cell.packed_bytes));
  return list;
}

}  // namespace

std::string analysis_json(const FileAnalysis& file) {
  const Analysis& analysis = file.analysis;
  const Json header = analysis.sniffed.empty() ? Json(nullptr) : Json(analysis.sniffed);
  return dump({{"name", file.name},
               {"header", header},
               {"offset", analysis.raw_prefix},
               {"type", analysis.type.empty() ? "bytes" : analysis.type},
               {"level", analysis.level},
               {"chunk_bytes", analysis.chunk_bytes},
               {"stored_bytes", file.analysis.stored_bytes},
               {"record_bytes", file.analysis.record_bytes},
               {"chosen", choices(file)},
               {"holes", analysis.holes},
               {"sampled_bytes", analysis.sampled_bytes},
               {"candidates", candidates(analysis)},
               {"grid", grid(analysis)}});
}

std::string analysis_json(const std::string& name, const Error& error) {
  return dump({{"name", name}, {"error", error_json(error)}});
}

}  // namespace tdz::app
