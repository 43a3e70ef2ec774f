// SPDX-License-Identifier: Apache-2.0
// Is the first number that differs found, with the right index, lane and offset?
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "codec/roundtrip/roundtrip.hpp"
#include "formats/plan/made_plans.hpp"
#include "tests/codec/support.hpp"

namespace tdz {
namespace {

using test::Bytes;

Plan plan_with(std::uint8_t word, std::uint32_t tuple) {
  return formats::plan_of(formats::column_of({.word = word, .tuple = tuple, .order = 1, .zigzag = true}));
}

std::uint64_t naive_number(const Bytes& bytes, std::size_t first, std::size_t last) {
  std::uint64_t number = 0;
  for (std::size_t at = std::min(last, bytes.size()); at-- > first;) {
    number = number * 256 + std::to_integer<unsigned>(bytes[at]);
  }
  return number;
}

TEST_CASE("a wrong byte is found at every offset, for every word") {
  const Bytes original = test::noise(61);
  constexpr std::uint64_t kOffset = 1 << 20;
  for (const std::uint8_t word : std::to_array<std::uint8_t>({1, 2, 4, 8})) {
    const Plan plan = plan_with(word, 3);
    for (std::size_t at = 0; at < original.size(); ++at) {
      CAPTURE(word);
      CAPTURE(at);
      Bytes restored = original;
      restored[at] ^= std::byte{0x80};
      const auto found = first_mismatch({original, 7, kOffset}, restored, plan);
      REQUIRE(found);
      const std::size_t index = at / word, begin = index * word;
      CHECK(found->first.value == kOffset / word + index);
      CHECK(found->first.lane == index % 3);
      CHECK(found->offset == kOffset + begin);
      CHECK(found->width == std::min<std::size_t>(word, original.size() - begin));
      CHECK(found->first.expected == naive_number(original, begin, begin + word));
      CHECK(found->first.found == naive_number(restored, begin, begin + word));
    }
  }
}

TEST_CASE("of several wrong numbers the first is found") {
  const Bytes original = test::noise(4000);
  Bytes restored = original;
  for (const std::size_t at : {3999u, 2000u, 1002u, 1001u}) restored[at] ^= std::byte{1};
  const auto found = first_mismatch({original, 0, 0}, restored, plan_with(2, 1));
  REQUIRE(found);
  CHECK(found->first.value == 500);
  const auto next = std::ranges::find(found->around, 501u, &ComparedValue::value);
  REQUIRE(next != found->around.end());
  CHECK(next->expected != next->found);
}

TEST_CASE("a mismatch shows up to four neighbours on each side") {
  const Bytes original = test::noise(20);
  const Plan plan = plan_with(2, 2);
  const auto neighbours = [&](std::size_t value) {
    Bytes restored = original;
    restored[2 * value] ^= std::byte{1};
    const auto found = first_mismatch({original, 0, 0}, restored, plan);
    std::vector<std::uint64_t> values;
    for (const ComparedValue& near : found.value().around) values.push_back(near.value);
    CHECK(std::ranges::count(found->around, found->first) == 1);
    return values;
  };
  CHECK(neighbours(0) == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  CHECK(neighbours(5) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(neighbours(9) == std::vector<std::uint64_t>{5, 6, 7, 8, 9});
}

TEST_CASE("the lane counts in the tuple of the first step that has one") {
  const Bytes original = test::noise(100);
  Bytes restored = original;
  restored[23] ^= std::byte{1};
  const auto lane = [&](const Column& column) {
    const Plan plan = formats::plan_of(column);
    return first_mismatch({original, 0, 0}, restored, plan).value().first.lane;
  };
  CHECK(lane(Column{}) == 0);
  CHECK(lane(Column{1, 1, {ZigzagStep{}, DifferenceStep{5, 2}}}) == 3);
  CHECK(lane(Column{1, 1, {TuplePlanesStep{7}}}) == 2);
}

TEST_CASE("equal bytes and empty chunks give no mismatch") {
  const Bytes original = test::noise(1000), nothing;
  CHECK_FALSE(first_mismatch({original, 0, 0}, original, plan_with(4, 1)));
  CHECK_FALSE(first_mismatch({nothing, 0, 0}, nothing, plan_with(4, 1)));
}

}  // namespace
}  // namespace tdz
