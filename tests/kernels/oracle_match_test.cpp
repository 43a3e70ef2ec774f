// SPDX-License-Identifier: Apache-2.0
// Do the fused kernels of every target agree with the oracle, in both directions, at every critical length?
#include "kernels/oracle.hpp"
#include "tests/kernels/edges.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

using test::ByteVector;
using test::Direction;

struct Case {
  std::uint8_t word;
  std::uint32_t tuple;
  std::uint8_t order;
  bool zigzag;
  Layout layout;

  Column transform() const {
    Column column{word};
    if (order > 0) column.steps.push_back(DifferenceStep{tuple, order});
    if (zigzag) column.steps.push_back(ZigzagStep{});
    if (layout == Layout::planes) column.steps.push_back(PlanesStep{});
    if (layout == Layout::tuple_planes) column.steps.push_back(TuplePlanesStep{tuple});
    if (layout == Layout::bit_planes) column.steps.push_back(BitPlanesStep{});
    return column;
  }
};

constexpr std::uint32_t kTuples[] = {1,  2,  3,  4,  5,  6,   7,    8,     9,
                                     16, 17, 63, 64, 65, 255, 1000, 70000, 0xFFFFFFFF};

/// The cases of one word and tuple. Not the full grid: each order has one layout and one zigzag. Still every
/// pair occurs: (word, order), (tuple, order), (order, layout), (tuple, layout).
std::vector<Case> cases_of(std::uint8_t word, std::uint32_t tuple) {
  std::vector<Case> cases;
  for (std::uint8_t order = 0; order <= kMaxOrder; ++order) {
    for (std::uint8_t layout = 0; layout < 4; ++layout) {
      for (bool zigzag : {false, true}) {
        const bool chosen = (order + tuple + word) % 4 == layout && zigzag == (layout % 2 == order / 4 % 2);
        if (test::full_grid() || chosen) cases.push_back({word, tuple, order, zigzag, Layout{layout}});
      }
    }
  }
  return cases;
}

void check(const Column& column, const ByteVector& values) {
  const ByteVector coded = oracle::forward(column, values);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": ", formats::plan_name(formats::plan_of(column)), ", ", values.size(),
         " bytes, seed ", test::kSeed);
    CHECK(test::run_guarded(column, Direction::forward, values) == coded);
    CHECK(test::run_guarded(column, Direction::inverse, coded) == values);
  });
}

void check_word(std::uint8_t word) {
  for (std::uint32_t tuple : kTuples) {
    for (const test::EdgeLength& edge : test::edge_lengths(word, tuple)) {
      const ByteVector values = test::random_bytes(edge.bytes);
      INFO(edge.reason);
      for (const Case& test_case : cases_of(word, tuple)) check(test_case.transform(), values);
    }
  }
}

}  // namespace

TEST_CASE("words of 1 byte match the oracle") {
  check_word(1);
}
TEST_CASE("words of 2 bytes match the oracle") {
  check_word(2);
}
TEST_CASE("words of 4 bytes match the oracle") {
  check_word(4);
}
TEST_CASE("words of 8 bytes match the oracle") {
  check_word(8);
}

TEST_CASE("many tuples that are longer than the block of a sweep match the oracle") {
  const ByteVector values = test::random_bytes(70000 * 2 * 3 + 1001);
  for (Layout layout : {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
    check(Case{2, 70000, 2, true, layout}.transform(), values);
    check(Case{1, 5000, 5, true, layout}.transform(), values);
  }
}

TEST_CASE("difference and layout may have different tuples") {
  const ByteVector values = test::random_bytes(50001);
  for (std::uint32_t tuple : {1u, 3u, 1000u}) {
    for (std::uint32_t layout : {1u, 2u, 5u, 64u, 999u}) {
      const Column column = Column{4, 1, {DifferenceStep{tuple, 3}, ZigzagStep{}, TuplePlanesStep{layout}}};
      check(column, values);
    }
  }
}

}  // namespace tdz
