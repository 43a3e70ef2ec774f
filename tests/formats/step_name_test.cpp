// SPDX-License-Identifier: Apache-2.0
// Are steps and plans of them printed as in FORMAT.md?
#include <doctest/doctest.h>

#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_name.hpp"
#include "formats/type_name.hpp"

namespace tdz::formats {

TEST_CASE("every step has its name") {
  CHECK(step_name(Step::byteswap()) == "byteswap");
  CHECK(step_name(Step::difference(2, 1)) == "difference(2, 1)");
  CHECK(step_name(Step::zigzag()) == "zigzag");
  CHECK(step_name(Step::planes()) == "planes");
  CHECK(step_name(Step::tuple_planes(3)) == "tuple-planes(3)");
  CHECK(step_name(Step::bit_planes()) == "bit-planes");
  CHECK(step_name(Step{static_cast<StepId>(77)}) == "step 77");
}

TEST_CASE("a list of steps is printed as its word and its steps in order") {
  Transform transform{.word = 2};
  transform.append(Step::difference(2, 1)).append(Step::zigzag()).append(Step::tuple_planes(2));
  CHECK(plan_name(plan_of(transform)) == "16-bit words: difference(2, 1), zigzag, tuple-planes(2)");
  CHECK(plan_name(plan_of(Transform{})) == "8-bit words: none");
}

}  // namespace tdz::formats
