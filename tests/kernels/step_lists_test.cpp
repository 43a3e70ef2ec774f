// SPDX-License-Identifier: Apache-2.0
// Do all kinds of step lists work: byteswap first, two differences, layouts in the middle, eight steps?
#include "kernels/oracle.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

using test::ByteVector;
using test::Direction;

/// The lists, for every word.
std::vector<Transform> lists_of(std::uint8_t word) {
  const Step rows = Step::difference(100, 1);
  const std::vector<std::vector<Step>> lists = {
      {},
      {Step::byteswap()},
      {Step::byteswap(), Step::zigzag()},
      {Step::byteswap(), Step::difference(1, 1)},
      {Step::byteswap(), Step::difference(3, 4), Step::zigzag(), Step::planes()},
      {Step::byteswap(), Step::difference(1000, 2), Step::zigzag(), Step::tuple_planes(1000)},
      {Step::byteswap(), Step::difference(70, 8), Step::bit_planes()},
      {Step::byteswap(), Step::tuple_planes(5)},
      {Step::difference(1, 1), rows},
      {Step::difference(1, 1), rows, Step::zigzag(), Step::planes()},
      {Step::planes(), Step::difference(1, 2)},
      {Step::bit_planes(), Step::zigzag()},
      {Step::zigzag(), Step::byteswap()},
      {Step::tuple_planes(3), Step::tuple_planes(7)},
      {Step::zigzag(), Step::zigzag(), Step::zigzag()},
      {Step::difference(2, 8), Step::zigzag(), Step::bit_planes(), Step::difference(1, 1), Step::zigzag(),
       Step::tuple_planes(6), Step::byteswap(), rows},
  };
  std::vector<Transform> transforms;
  for (const auto& list : lists) {
    transforms.push_back(Transform{word});
    for (const Step& step : list) transforms.back().append(step);
  }
  return transforms;
}

constexpr std::size_t kLengths[] = {0, 1, 7, 8, 100, 1023, 20011};

}  // namespace

TEST_CASE("every step list matches the oracle, fused and step by step") {
  test::for_each_target([](const cpu::Target& target) {
    for (std::uint8_t word : test::kWords) {
      for (const Transform& transform : lists_of(word)) {
        for (std::size_t length : kLengths) {
          INFO(target.name, ": ", formats::plan_name(formats::plan_of(transform)), ", ", length, " bytes, seed ",
               test::kSeed);
          const ByteVector values = test::random_bytes(length), coded = oracle::forward(transform, values);
          for (const PassList& list : {passes(transform), test::stepwise(transform)}) {
            CHECK(test::run_guarded(transform, Direction::forward, values, list) == coded);
            CHECK(test::run_guarded(transform, Direction::inverse, coded, list) == values);
          }
        }
      }
    }
  });
}

TEST_CASE("the usual list is one pass and needs no scratch; an unusual list needs as much as a chunk") {
  const Transform usual = Transform{4}
                              .append(Step::byteswap())
                              .append(Step::difference(3, 2))
                              .append(Step::zigzag())
                              .append(Step::tuple_planes(3));
  CHECK(passes(usual).count == 1);
  CHECK(test::stepwise(usual).count == 4);
  CHECK(cpu::scratch_bytes(usual, 1000) == 0);
  CHECK(cpu::scratch_bytes(Transform{4}, 1000) == 0);
  CHECK(cpu::scratch_bytes(Transform{4}.append(Step::planes()).append(Step::zigzag()), 1000) == 1000);
}

}  // namespace tdz
