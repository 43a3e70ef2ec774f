// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_name.hpp"

#include "formats/type_name.hpp"

namespace tdz::formats {
namespace {

std::string run_name(std::uint32_t run) {
  return run == 0 ? "" : " in runs of " + std::to_string(run);
}

std::string with_tuple(const char* name, std::size_t tuple) {
  return std::string(name) + "(" + std::to_string(tuple) + ")";
}

struct StepNamer {
  std::string operator()(const PlainStep& s) const { return step_name(s.step) + run_name(s.run); }
  std::string operator()(const ScaleStep& s) const { return with_tuple("scale", s.tuple); }
  std::string operator()(const LanesStep& s) const { return with_tuple("lanes", s.lanes.size()) + run_name(s.run); }
  std::string operator()(const PredictStep& s) const { return with_tuple("predict", s.tuple); }
  std::string operator()(const TokensStep& s) const {
    return "tokens(" + std::to_string(s.tuple) + ", " + std::to_string(s.code.k) + ", " + std::to_string(s.code.m) +
           ")" + run_name(s.run);
  }
};

std::string column_name(const Column& column) {
  const std::string count = column.count == 1 ? "" : std::to_string(column.count) + " ";
  return count + std::to_string(column.width * 8u) + "-bit words: " + steps_name(column);
}

}  // namespace

std::string step_name(const PlanStep& step) {
  return std::visit(StepNamer{}, step);
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
