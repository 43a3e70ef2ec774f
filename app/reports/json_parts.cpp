// SPDX-License-Identifier: Apache-2.0
#include "app/reports/json_parts.hpp"

#include "formats/plan/plan_name.hpp"

namespace tdz::app {

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json ratio_json(std::uint64_t original, std::uint64_t stored) {
  if (stored == 0) return nullptr;
  return static_cast<double>(original) / static_cast<double>(stored);
}

Json plan_json(const Plan& plan) {
  Json columns = Json::array();
  for (const Column& column : plan.columns) {
    Json steps = Json::array();
    for (const PlanStep& step : column.steps) steps.push_back(formats::step_name(step));
    columns.push_back({{"bytes", column.width}, {"count", column.count}, {"steps", std::move(steps)}});
  }
  Json json = {{"columns", std::move(columns)}};
  if (plan.coding == Coding::uniform) json["uniform"] = true;
  return json;
}

Json error_json(const Error& error) {
  Json json = {{"kind", name_of(error.kind)}, {"message", error.message}};
  if (error.where != Error::kNowhere) json["at"] = error.where;
  return json;
}

}  // namespace tdz::app
