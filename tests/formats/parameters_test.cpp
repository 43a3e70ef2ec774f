// SPDX-License-Identifier: Apache-2.0
// Do parameters become the shortest list of steps with the same meaning?
#include <doctest/doctest.h>

#include <string>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::formats {

namespace {

std::string name_of(const Parameters& steps) {
  return plan_name(plan_of(column_of(steps)));
}

}  // namespace

TEST_CASE("all steps are in the usual order") {
  CHECK(name_of({4, 3, 2, true, Layout::tuple_planes, true}) ==
        "32-bit words: byteswap, difference(3, 2), zigzag, tuple-planes(3)");
  CHECK(name_of({8, 1, 8, true, Layout::planes, false}) == "64-bit words: difference(1, 8), zigzag, planes");
}

TEST_CASE("steps that would do nothing are left out") {
  CHECK(name_of({}) == "8-bit words: none");
  CHECK(name_of({.word = 1, .order = 1, .layout = Layout::planes, .big_endian = true}) ==
        "8-bit words: difference(1, 1)");
  CHECK(name_of({.word = 1, .layout = Layout::tuple_planes}) == "8-bit words: none");
  CHECK(name_of({.word = 4, .tuple = 3, .order = 0}) == "32-bit words: none");
}

TEST_CASE("tuple-planes of single words are planes") {
  CHECK(name_of({.word = 2, .tuple = 1, .layout = Layout::tuple_planes}) == "16-bit words: planes");
}

TEST_CASE("steps that do something to single bytes stay") {
  CHECK(name_of({.word = 1, .tuple = 3, .layout = Layout::tuple_planes}) == "8-bit words: tuple-planes(3)");
  CHECK(name_of({.word = 1, .layout = Layout::bit_planes}) == "8-bit words: bit-planes");
  CHECK(name_of({.word = 1, .zigzag = true}) == "8-bit words: zigzag");
}

TEST_CASE("packed groups follow the other steps, with the tuple's lanes or one") {
  CHECK(name_of({.word = 4, .tuple = 3, .order = 2, .zigzag = true, .packed = true}) ==
        "32-bit words: difference(3, 2), zigzag, packed(3)");
  CHECK(name_of({.word = 1, .tuple = 257, .packed = true}) == "8-bit words: packed(1)");
  CHECK(layout_name(Parameters{.packed = true}) == "packed");
  CHECK(layout_name(Parameters{.layout = Layout::bit_planes}) == "bit-planes");
}

}  // namespace tdz::formats
