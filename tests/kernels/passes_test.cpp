// SPDX-License-Identifier: Apache-2.0
// How are step lists cut into passes?
#include "kernels/passes.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace tdz {
namespace {

Transform list_of(std::initializer_list<Step> steps) {
  Transform transform{.word = 4};
  for (const Step& step : steps) transform.append(step);
  return transform;
}

}  // namespace

TEST_CASE("the usual list is one pass, and every step has its field") {
  const PassList list =
      passes(list_of({Step::byteswap(), Step::difference(3, 2), Step::zigzag(), Step::tuple_planes(5)}));
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
  const PassList list = passes(Transform{8});
  REQUIRE(list.count == 1);
  CHECK(list.storage[0] == Pass{.word = 8});
}

TEST_CASE("a step out of the usual order begins a new pass") {
  CHECK(passes(list_of({Step::zigzag(), Step::zigzag()})).count == 2);
  CHECK(passes(list_of({Step::zigzag(), Step::byteswap()})).count == 2);
  CHECK(passes(list_of({Step::zigzag(), Step::difference(1, 1)})).count == 2);
  CHECK(passes(list_of({Step::difference(1, 1), Step::byteswap()})).count == 2);
  CHECK(passes(list_of({Step::difference(1, 1), Step::difference(640, 1), Step::zigzag()})).count == 2);
  CHECK(passes(list_of({Step::planes(), Step::difference(1, 1), Step::bit_planes()})).count == 2);
  CHECK(passes(list_of({Step::planes(), Step::tuple_planes(2), Step::bit_planes()})).count == 3);
}

TEST_CASE("the longest list of steps that never fuse fits") {
  Transform transform;
  for (std::size_t i = 0; i < kMaxSteps; ++i) transform.append(Step::zigzag());
  CHECK(passes(transform).count == kMaxSteps);
}

TEST_CASE("steps share a pass only if the backend can fuse them") {
  const Transform transform =
      list_of({Step::byteswap(), Step::difference(3, 2), Step::zigzag(), Step::planes()});
  CHECK(passes(transform, [](const Pass&) { return false; }).count == 4);
  const PassList list = passes(transform, [](const Pass& pass) { return !pass.byteswap; });
  REQUIRE(list.count == 2);
  CHECK(list.storage[0] == Pass{.word = 4, .byteswap = true});
  CHECK(list.storage[1].layout == Layout::planes);
}

TEST_CASE("without a difference, the tuple of the pass is the tuple of the layout") {
  const PassList list = passes(list_of({Step::zigzag(), Step::tuple_planes(7)}));
  CHECK(list.storage[0].tuple == 7);
  CHECK(list.storage[0].layout_tuple == 7);
}

}  // namespace tdz
