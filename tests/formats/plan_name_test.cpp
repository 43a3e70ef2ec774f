// SPDX-License-Identifier: Apache-2.0
// Are plans printed as people read them?
#include <doctest/doctest.h>

#include "formats/names.hpp"

namespace tdz::formats {

TEST_CASE("every step of a plan has its name") {
  CHECK(step_name(DifferenceStep{2, 1}) == "difference(2, 1)");
  CHECK(step_name(DifferenceStep{2, 1, 1024}) == "difference(2, 1) in runs of 1024");
  CHECK(step_name(ScaleStep{3, ScaleKind::real}) == "scale(3)");
  CHECK(step_name(LanesStep{{LaneRule{}, LaneRule{}}, 2048}) == "lanes(2) in runs of 2048");
  CHECK(step_name(PredictStep{4, Sign::is_signed}) == "predict(4)");
  CHECK(step_name(TokensStep{1, {3, 1}, 0}) == "tokens(1, 3, 1)");
}

TEST_CASE("a plan is printed as its columns, each with its words and its steps in order") {
  CHECK(plan_name(plain_plan()) == "8-bit words: none");
  const std::vector<PlanStep> steps = {DifferenceStep{2, 1}, ZigzagStep{}};
  CHECK(plan_name({Coding::zstd, {{3, 1, steps}, {4, 5, {}}}}) ==
        "24-bit words: difference(2, 1), zigzag; 5 32-bit words: none");
  CHECK(plan_name({Coding::uniform, {Column{}}}) == "8-bit words: none; frames for a GPU");
}

}  // namespace tdz::formats
