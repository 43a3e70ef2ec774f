// SPDX-License-Identifier: Apache-2.0
// Does a plan in words say what each of its columns and steps is?
#include <doctest/doctest.h>

#include <array>

#include "formats/names.hpp"

using namespace tdz;
using tdz::formats::plan_words;

namespace {

std::string words_of(PlanStep step, std::uint8_t width = 4) {
  const Plan plan{Coding::zstd, {{width, 1, {std::move(step)}}}};
  const auto lines = plan_words(plan, {});
  REQUIRE(lines.size() == 1);
  return lines.front().substr(lines.front().find(": ") + 2);
}

}  // namespace

TEST_CASE("a line for each column, with multiples and holes") {
  Plan plan{Coding::zstd,
            {{8, 1, {DifferenceStep{1, 2}, ZigzagStep{}, PlanesStep{}}},
             {4, 5, {ScaleStep{5, ScaleKind::real}, DifferenceStep{5, 1}}, 'f'},
             {1, 1, {}}}};
  plan.packing.scales = {ScalePlan{{{1, 100}, {3, 1}, {1, 7}, {1, 9}}, {}, false}};
  const std::array holes{0.0, 0.003, 0.0};
  const auto lines = plan_words(plan, holes);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "column 1, 64 bits: difference of order 2 to the number before; zigzag; byte shuffle");
  CHECK(lines[1] ==
        "column 2, 5 x f32: multiples of 1/100, 3, 1/7 and 1 more, 0.3 % holes; "
        "difference of order 1 to the number 5 places before");
  CHECK(lines[2] == "column 3, 8 bits: as they are");
}

TEST_CASE("holes are given in per cent, and few are not none") {
  Plan plan{Coding::zstd, {{4, 1, {ScaleStep{}}}}};
  plan.packing.scales = {ScalePlan{{{1, 10}}, {}, false}};
  const auto line = [&](double share) { return plan_words(plan, std::array{share}).front(); };
  CHECK(line(0) == "numbers of 32 bits: multiples of 1/10, no holes");
  CHECK(line(0.0001) == "numbers of 32 bits: multiples of 1/10, less than 0.1 % holes");
  CHECK(line(0.25) == "numbers of 32 bits: multiples of 1/10, 25.0 % holes");
}

TEST_CASE("bytes without steps are no numbers") {
  CHECK(plan_words(plain_plan(), {}) == std::vector<std::string>{"bytes as they are, without steps"});
}

TEST_CASE("a plan of a file does not hold the multiples") {
  CHECK(words_of(ScaleStep{}) == "multiples of steps that each chunk finds");
}

TEST_CASE("every step has words") {
  CHECK(words_of(ByteswapStep{}) == "big-endian");
  CHECK(words_of(DifferenceStep{1, 1, 2048}) ==
        "difference of order 1 to the number before, anew every 2048 numbers");
  CHECK(words_of(TuplePlanesStep{3}) == "byte shuffle of each of 3 columns");
  CHECK(words_of(BitPlanesStep{}) == "bit shuffle");
  CHECK(words_of(PredictStep{}) == "minus a linear prediction from the numbers before");
  CHECK(words_of(TokensStep{1, {3, 1}}) == "a byte (token) for each number, and its lower bits");
  LanesStep lanes;
  lanes.lanes = {{.order = 2, .zigzag = true},
                 {.order = 1, .source = 0},
                 {.order = 1, .source = 0, .lag = 1, .after = true},
                 {}};
  CHECK(words_of(lanes) ==
        "differences: lane 1 (order 2), lane 2 minus lane 1 (order 1), "
        "lane 3 (order 1) minus the number before in lane 1, lane 4 as it is");
}
