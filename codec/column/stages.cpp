// SPDX-License-Identifier: Apache-2.0
#include "codec/column/stages.hpp"

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

std::vector<Stage> stages_of(const Column& column) {
  std::vector<Stage> stages;
  for (const PlanStep& step : column.steps) std::visit(Staging{column.width, stages}, step);
  return stages;
}

}  // namespace tdz
