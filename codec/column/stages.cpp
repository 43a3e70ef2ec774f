// SPDX-License-Identifier: Apache-2.0
#include "codec/column/stages.hpp"

#include <optional>

namespace tdz {
namespace {

/// Appends a step to the stages so far.
struct Staging {
  std::uint8_t width;
  std::vector<Stage>& stages;

  void operator()(const PlainStep& s) const {
    if (!is_word_size(width) || s.run != 0) {
      stages.push_back(s);
      return;
    }
    if (stages.empty() || !std::holds_alternative<Transform>(stages.back())) {
      stages.push_back(Transform{.word = width});
    }
    std::get<Transform>(stages.back()).append(s.step);
  }
  template <class T>
  void operator()(const T& s) const {
    stages.push_back(s);
  }
};

}  // namespace

namespace {

bool is_zigzag(const PlanStep& step) {
  const auto* plain = std::get_if<PlainStep>(&step);
  return plain != nullptr && plain->step.id == StepId::zigzag;
}

/// A difference that starts anew is what the step `lanes` does with the same rule for each lane, zigzag too: so
/// both take one pass, lane by lane.
std::optional<LanesStep> as_lanes(const PlanStep& step, bool zigzag) {
  const auto* plain = std::get_if<PlainStep>(&step);
  if (plain == nullptr || plain->run == 0 || plain->step.tuple > kMaxSideTuple) return {};
  const LaneRule rule{.order = plain->step.order, .zigzag = zigzag};
  return LanesStep{std::vector<LaneRule>(plain->step.tuple, rule), plain->run};
}

}  // namespace

std::vector<Stage> stages_of(const Column& column) {
  std::vector<Stage> stages;
  const auto& steps = column.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool zigzag = i + 1 < steps.size() && is_zigzag(steps[i + 1]);
    if (auto lanes = as_lanes(steps[i], zigzag)) {
      stages.push_back(*std::move(lanes));
      i += zigzag ? 1 : 0;
    } else {
      std::visit(Staging{column.width, stages}, steps[i]);
    }
  }
  return stages;
}

}  // namespace tdz
