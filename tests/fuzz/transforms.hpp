// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/support.hpp"

namespace tdz::fuzz {

/// Any list of steps.
inline Transform any_transform(Choices& choices) {
  Transform transform{.word = static_cast<std::uint8_t>(1u << choices.below(4))};
  for (unsigned steps = choices.below(kMaxSteps + 1); steps > 0; --steps) {
    const std::uint32_t any = choices.number<std::uint16_t>();
    const std::uint32_t tuple = 1 + (any >> choices.below(16));
    const auto id = StepId{static_cast<std::uint16_t>(1 + choices.below(6))};
    switch (form_of(id)) {
      case StepForm::unknown:
        break;
      case StepForm::plain:
        transform.append({id});
        break;
      case StepForm::tuple:
        transform.append({id, tuple});
        break;
      case StepForm::tuple_and_order:
        transform.append({id, tuple, static_cast<std::uint8_t>(1 + choices.below(kMaxOrder))});
        break;
    }
  }
  return transform;
}

}  // namespace tdz::fuzz
