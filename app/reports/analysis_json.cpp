// SPDX-License-Identifier: Apache-2.0
#include "app/reports/analysis_json.hpp"

#include "app/reports/json_parts.hpp"
#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app {
namespace {

Json with_size(Json json, const Analysis& analysis, const Candidate& candidate) {
  json["packed_bytes"] = candidate.packed_bytes;
  json["ratio"] = ratio_json(analysis.sampled_bytes, candidate.packed_bytes);
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
    list.push_back(with_size(plan_json(candidate.plan), analysis, candidate));
  return list;
}

Json grid(const Analysis& analysis) {
  Json list = Json::array();
  for (const Candidate& cell : analysis.grid) {
    const auto said = formats::parameters_of(formats::transform_of(cell.plan).value_or(Transform{}));
    list.push_back(with_size({{"order", said.order}, {"tuple", said.tuple}}, analysis, cell));
  }
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
               {"chosen", choices(file)},
               {"sampled_bytes", analysis.sampled_bytes},
               {"candidates", candidates(analysis)},
               {"grid", grid(analysis)}});
}

std::string analysis_json(const std::string& name, const Error& error) {
  return dump({{"name", name}, {"error", error_json(error)}});
}

}  // namespace tdz::app
