// SPDX-License-Identifier: Apache-2.0
// Are steps and plans of them printed as in FORMAT.md?
#include <doctest/doctest.h>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::formats {

TEST_CASE("every step has its name") {
  CHECK(step_name(ByteswapStep{}) == "byteswap");
  CHECK(step_name(DifferenceStep{2, 1}) == "difference(2, 1)");
  CHECK(step_name(ZigzagStep{}) == "zigzag");
  CHECK(step_name(PlanesStep{}) == "planes");
  CHECK(step_name(TuplePlanesStep{3}) == "tuple-planes(3)");
  CHECK(step_name(BitPlanesStep{}) == "bit-planes");
}

TEST_CASE("a list of steps is printed as its word and its steps in order") {
  Column column{.width = 2};
  column.steps.insert(column.steps.end(), {DifferenceStep{2, 1}, ZigzagStep{}, TuplePlanesStep{2}});
  CHECK(plan_name(plan_of(column)) == "16-bit words: difference(2, 1), zigzag, tuple-planes(2)");
  CHECK(plan_name(plan_of(Column{})) == "8-bit words: none");
}

}  // namespace tdz::formats
