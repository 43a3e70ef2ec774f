// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_name.hpp"

namespace tdz::formats {
namespace {

std::string column_name(const Column& column) {
  const std::string count = column.count == 1 ? "" : std::to_string(column.count) + " ";
  return count + std::to_string(column.width * 8u) + "-bit words: " + steps_name(column);
}

}  // namespace

std::string step_name(const PlanStep& step) {
  return std::visit([](const auto& s) { return s.name(); }, step);
}

std::string steps_name(const Column& column) {
  std::string names;
  for (const PlanStep& step : column.steps) names += (names.empty() ? "" : ", ") + step_name(step);
  return names.empty() ? "none" : names;
}

std::string plan_name(const Plan& plan) {
  std::string names;
  for (const Column& column : plan.columns) names += (names.empty() ? "" : "; ") + column_name(column);
  return plan.coding == Coding::uniform ? names + "; frames for a GPU" : names;
}

}  // namespace tdz::formats
