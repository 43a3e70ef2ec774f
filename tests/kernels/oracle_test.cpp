// SPDX-License-Identifier: Apache-2.0
// Is the oracle right? Examples computed by hand from FORMAT.md.
#include "kernels/oracle.hpp"

#include "tests/kernels/support.hpp"

namespace tdz {

using test::ByteVector;

TEST_CASE("order 1 subtracts the word before; order 2 subtracts it twice and adds the word before that") {
  const ByteVector values = {10, 13, 11, 200};
  CHECK(oracle::forward(Column{1, 1, {DifferenceStep{1, 1}}}, values) == ByteVector{10, 3, 254, 189});
  CHECK(oracle::forward(Column{1, 1, {DifferenceStep{1, 2}}}, values) == ByteVector{10, 249, 251, 191});
}

TEST_CASE("a difference over tuples stays in its lane, with zeros before the start") {
  const ByteVector values = {1, 100, 3, 90, 9};
  CHECK(oracle::forward(Column{1, 1, {DifferenceStep{2, 1}}}, values) == ByteVector{1, 100, 2, 246, 6});
  CHECK(oracle::forward(Column{1, 1, {DifferenceStep{5, 3}}}, values) == values);
  CHECK(oracle::forward(Column{1, 1, {DifferenceStep{0xFFFFFFFF, 8}}}, values) == values);
}

TEST_CASE("words are little-endian and borrow across their bytes; trailing bytes do not change") {
  const ByteVector values = {0x00, 0x01, 0xFF, 0x00, 0x77};
  CHECK(oracle::forward(Column{2, 1, {DifferenceStep{1, 1}}}, values) ==
        ByteVector{0x00, 0x01, 0xFF, 0xFF, 0x77});
}

TEST_CASE("zigzag codes 0, -1, 1, -2 as 0, 1, 2, 3, and the extremes as the largest codes") {
  const ByteVector residuals = {0, 0xFF, 1, 0xFE, 0x7F, 0x80};
  CHECK(oracle::forward(Column{1, 1, {ZigzagStep{}}}, residuals) == ByteVector{0, 1, 2, 3, 0xFE, 0xFF});
}

TEST_CASE("byteswap reverses the bytes of each word") {
  CHECK(oracle::forward(Column{4, 1, {ByteswapStep{}}}, {1, 2, 3, 4, 5, 6}) == ByteVector{4, 3, 2, 1, 5, 6});
}

TEST_CASE("planes put byte b of every word together") {
  const ByteVector values = {0xA0, 0xA1, 0xB0, 0xB1, 0xC0, 0xC1, 0xDD};
  CHECK(oracle::forward(Column{2, 1, {PlanesStep{}}}, values) ==
        ByteVector{0xA0, 0xB0, 0xC0, 0xA1, 0xB1, 0xC1, 0xDD});
}

TEST_CASE("tuple-planes are ordered by lane, then by byte, also if the last tuple is incomplete") {
  const ByteVector values = {0xA0, 0xA1, 0xB0, 0xB1, 0xC0, 0xC1};
  const auto column = [](std::uint32_t tuple) { return Column{2, 1, {TuplePlanesStep{tuple}}}; };
  CHECK(oracle::forward(column(2), values) == ByteVector{0xA0, 0xC0, 0xA1, 0xC1, 0xB0, 0xB1});
  CHECK(oracle::forward(column(1), values) == oracle::forward(Column{2, 1, {PlanesStep{}}}, values));
  CHECK(oracle::forward(column(7), values) == values);
}

TEST_CASE("bit-planes take eight words at a time; the other words stay") {
  const ByteVector values = {1, 0, 1, 0, 0, 0, 0, 0x81, 0x55};
  CHECK(oracle::forward(Column{1, 1, {BitPlanesStep{}}}, values) ==
        ByteVector{0x85, 0, 0, 0, 0, 0, 0, 0x80, 0x55});
}

TEST_CASE("the oracle's inverse undoes every step") {
  const ByteVector values = test::random_bytes(997);
  for (std::uint8_t word : test::kWords) {
    for (const PlanStep& step : std::vector<PlanStep>{ByteswapStep{}, DifferenceStep{3, 5}, ZigzagStep{},
                                                      PlanesStep{}, TuplePlanesStep{5}, BitPlanesStep{}}) {
      const Column column = Column{word, 1, {step}};
      INFO(formats::plan_name(formats::plan_of(column)));
      CHECK(oracle::inverse(column, oracle::forward(column, values)) == values);
    }
  }
}

}  // namespace tdz
