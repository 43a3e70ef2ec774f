// SPDX-License-Identifier: Apache-2.0
// Are equal trials measured once, and different ones never taken for equal?
#include <doctest/doctest.h>

#include <vector>

#include "codec/search/trial.hpp"
#include "formats/plan/plan.hpp"
#include "tests/random.hpp"

using namespace tdz;

namespace {

std::vector<std::byte> few_values(std::uint64_t seed) {
  test::Random random(seed);
  std::vector<std::byte> bytes(40000);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 7);
  return bytes;
}

std::uint64_t packed_quickly(Trial& trial, const std::vector<std::byte>& bytes) {
  return trial.packed_together(plain_plan(), {bytes}, Packing::quick).value();
}

}  // namespace

TEST_CASE("lengths that are known are those that a trial measures") {
  const auto a = few_values(1), b = few_values(2);
  KnownSizes sizes;
  Trial alone(3), first(3, &sizes), second(3, &sizes);
  for (Trial* trial : {&first, &second}) {
    CHECK(packed_quickly(*trial, a) == packed_quickly(alone, a));
    CHECK(packed_quickly(*trial, b) == packed_quickly(alone, b));
    CHECK(sizes.size() == 2);
  }
}

TEST_CASE("another search asks for what is known") {
  const auto a = few_values(1);
  KnownSizes sizes;
  Trial first(3, &sizes), second(3, &sizes);
  packed_quickly(first, a);
  REQUIRE(sizes.size() == 1);
  sizes.begin()->second = 12345;
  CHECK(packed_quickly(second, a) == 12345);
}
