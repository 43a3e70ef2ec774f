// SPDX-License-Identifier: Apache-2.0
// How are step lists cut into passes?
#include "kernels/passes.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace tdz {
namespace {

Column list_of(std::initializer_list<PlanStep> steps) {
  return {4, 1, steps};
}

}  // namespace

TEST_CASE("the usual list is one pass, and every step has its field") {
  const PassList list =
      passes(list_of({ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, TuplePlanesStep{5}}));
  REQUIRE(list.count == 1);
  const Pass expected{.word = 4,
                      .order = 2,
                      .zigzag = true,
                      .layout = Layout::tuple_planes,
                      .tuple = 3,
                      .layout_tuple = 5,
                      .byteswap = true};
  CHECK(list.storage[0] == expected);
}

TEST_CASE("a list without steps is one pass, a copy") {
  const PassList list = passes(Column{8});
  REQUIRE(list.count == 1);
  CHECK(list.storage[0] == Pass{.word = 8});
}

TEST_CASE("a step out of the usual order begins a new pass") {
  CHECK(passes(list_of({ZigzagStep{}, ZigzagStep{}})).count == 2);
  CHECK(passes(list_of({ZigzagStep{}, ByteswapStep{}})).count == 2);
  CHECK(passes(list_of({ZigzagStep{}, DifferenceStep{1, 1}})).count == 2);
  CHECK(passes(list_of({DifferenceStep{1, 1}, ByteswapStep{}})).count == 2);
  CHECK(passes(list_of({DifferenceStep{1, 1}, DifferenceStep{640, 1}, ZigzagStep{}})).count == 2);
  CHECK(passes(list_of({PlanesStep{}, DifferenceStep{1, 1}, BitPlanesStep{}})).count == 2);
  CHECK(passes(list_of({PlanesStep{}, TuplePlanesStep{2}, BitPlanesStep{}})).count == 3);
}

TEST_CASE("the longest list of steps that never fuse fits") {
  Column column;
  for (std::size_t i = 0; i < kMaxSteps; ++i) column.steps.push_back(ZigzagStep{});
  CHECK(passes(column).count == kMaxSteps);
}

TEST_CASE("steps share a pass only where they can be fused") {
  const Column column = list_of({ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, PlanesStep{}});
  CHECK(passes(column, [](const Pass&) { return false; }).count == 4);
  const PassList list = passes(column, [](const Pass& pass) { return !pass.byteswap; });
  REQUIRE(list.count == 2);
  CHECK(list.storage[0] == Pass{.word = 4, .byteswap = true});
  CHECK(list.storage[1].layout == Layout::planes);
}

TEST_CASE("without a difference, the tuple of the pass is the tuple of the layout") {
  const PassList list = passes(list_of({ZigzagStep{}, TuplePlanesStep{7}}));
  CHECK(list.storage[0].tuple == 7);
  CHECK(list.storage[0].layout_tuple == 7);
}

}  // namespace tdz
