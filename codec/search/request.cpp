// SPDX-License-Identifier: Apache-2.0
#include "codec/search/request.hpp"

namespace tdz {

using formats::UsualSteps;

Transform transform_of(const Steps& steps) {
  const Transform usual = formats::usual_transform(steps.usual);
  if (steps.row == 0) return usual;
  const Step along_rows = Step::difference(steps.row, 1);
  Transform with{.word = usual.word};
  bool placed = false;
  for (const Step& step : usual.steps()) {
    const bool earlier = step.id == StepId::byteswap || step.id == StepId::difference;
    if (!earlier && !placed) with.append(along_rows), placed = true;
    with.append(step);
  }
  if (!placed) with.append(along_rows);
  return with;
}

Steps steps_of(const Transform& transform) {
  Steps steps{{.word = transform.word}};
  bool differenced = false;
  for (const Step& step : transform.steps()) {
    switch (step.id) {
      case StepId::byteswap:
        steps.usual.big_endian = true;
        break;
      case StepId::difference:
        if (differenced) {
          steps.row = step.tuple;
        } else {
          steps.usual.tuple = step.tuple;
          steps.usual.order = step.order;
        }
        differenced = true;
        break;
      case StepId::zigzag:
        steps.usual.zigzag = true;
        break;
      case StepId::planes:
        steps.usual.layout = Layout::planes;
        break;
      case StepId::tuple_planes:
        steps.usual.layout = Layout::tuple_planes;
        if (!differenced) steps.usual.tuple = step.tuple;
        break;
      case StepId::bit_planes:
        steps.usual.layout = Layout::bit_planes;
        break;
    }
  }
  return steps;
}

UsualSteps fixed(const SearchOptions& said, UsualSteps steps) {
  steps.word = said.word.value_or(steps.word);
  steps.tuple = said.tuple.value_or(steps.tuple);
  steps.order = said.order.value_or(steps.order);
  steps.zigzag = said.zigzag.value_or(steps.zigzag);
  steps.layout = said.layout.value_or(steps.layout);
  steps.big_endian = said.big_endian || steps.big_endian;
  return steps;
}

}  // namespace tdz
