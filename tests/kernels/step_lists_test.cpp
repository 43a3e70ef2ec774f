// SPDX-License-Identifier: Apache-2.0
// Do all kinds of step lists work: byteswap first, two differences, layouts in the middle, eight steps?
#include "kernels/oracle.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

using test::ByteVector;
using test::Direction;

/// The lists, for every word.
std::vector<Column> lists_of(std::uint8_t word) {
  const DifferenceStep rows = DifferenceStep{100, 1};
  const std::vector<std::vector<PlanStep>> lists = {
      {},
      {ByteswapStep{}},
      {ByteswapStep{}, ZigzagStep{}},
      {ByteswapStep{}, DifferenceStep{1, 1}},
      {ByteswapStep{}, DifferenceStep{3, 4}, ZigzagStep{}, PlanesStep{}},
      {ByteswapStep{}, DifferenceStep{1000, 2}, ZigzagStep{}, TuplePlanesStep{1000}},
      {ByteswapStep{}, DifferenceStep{70, 8}, BitPlanesStep{}},
      {ByteswapStep{}, TuplePlanesStep{5}},
      {DifferenceStep{1, 1}, rows},
      {DifferenceStep{1, 1}, rows, ZigzagStep{}, PlanesStep{}},
      {PlanesStep{}, DifferenceStep{1, 2}},
      {BitPlanesStep{}, ZigzagStep{}},
      {ZigzagStep{}, ByteswapStep{}},
      {TuplePlanesStep{3}, TuplePlanesStep{7}},
      {ZigzagStep{}, ZigzagStep{}, ZigzagStep{}},
      {DifferenceStep{2, 8}, ZigzagStep{}, BitPlanesStep{}, DifferenceStep{1, 1}, ZigzagStep{},
       TuplePlanesStep{6}, ByteswapStep{}, rows},
  };
  std::vector<Column> columns;
  for (const auto& list : lists) {
    columns.push_back(Column{word});
    columns.back().steps = list;
  }
  return columns;
}

constexpr std::size_t kLengths[] = {0, 1, 7, 8, 100, 1023, 20011};

}  // namespace

TEST_CASE("every step list matches the oracle, fused and step by step") {
  test::for_each_target([](const cpu::Target& target) {
    for (std::uint8_t word : test::kWords) {
      for (const Column& column : lists_of(word)) {
        for (std::size_t length : kLengths) {
          INFO(target.name, ": ", formats::plan_name(formats::plan_of(column)), ", ", length, " bytes, seed ",
               test::kSeed);
          const ByteVector values = test::random_bytes(length), coded = oracle::forward(column, values);
          for (const PassList& list : {passes(column), test::stepwise(column)}) {
            CHECK(test::run_guarded(column, Direction::forward, values, list) == coded);
            CHECK(test::run_guarded(column, Direction::inverse, coded, list) == values);
          }
        }
      }
    }
  });
}

TEST_CASE("the usual list is one pass and needs no scratch; an unusual list needs as much as a chunk") {
  const Column usual = Column{4, 1, {ByteswapStep{}, DifferenceStep{3, 2}, ZigzagStep{}, TuplePlanesStep{3}}};
  CHECK(passes(usual).count == 1);
  CHECK(test::stepwise(usual).count == 4);
  CHECK(cpu::scratch_bytes(passes(usual), 1000) == 0);
  CHECK(cpu::scratch_bytes(passes(Column{4}), 1000) == 0);
  CHECK(cpu::scratch_bytes(passes(Column{4, 1, {PlanesStep{}, ZigzagStep{}}}), 1000) == 1000);
}

}  // namespace tdz
