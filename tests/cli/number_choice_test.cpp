// SPDX-License-Identifier: Apache-2.0
// Which steps does each way of speaking about numbers mean?
#include "app/number_choice.hpp"

#include <doctest/doctest.h>

#include "formats/type_name.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

std::string chosen(const NumberParameters& said) {
  const auto choice = choose_numbers(said);
  if (!choice) return "refused";
  return formats::type_name(choice->nominal) + " = " + formats::transform_name(choice->transform);
}

}  // namespace

TEST_CASE("nothing said means nothing done") {
  CHECK(chosen({}) == "bytes = 8-bit words: none");
  CHECK_FALSE(NumberParameters{}.any());
  CHECK(NumberParameters{.big_endian = true}.any());
}

TEST_CASE("a type alone means order 1, zigzag and tuple-planes") {
  CHECK(chosen({.type = "i16x2"}) == "i16x2 = 16-bit words: difference(2, 1), zigzag, tuple-planes(2)");
  CHECK(chosen({.type = "f64"}) == "f64 = 64-bit words: difference(1, 1), zigzag, planes");
  CHECK(chosen({.type = "u8"}) == "u8 = 8-bit words: difference(1, 1), zigzag");
}

TEST_CASE("word and tuple are a type without a name") {
  CHECK(chosen({.word = std::uint8_t{4}, .tuple = 3}) ==
        "w32x3 = 32-bit words: difference(3, 1), zigzag, tuple-planes(3)");
  CHECK(chosen({.tuple = 3}) == "w8x3 = 8-bit words: difference(3, 1), zigzag, tuple-planes(3)");
  CHECK(chosen({.order = std::uint8_t{2}}) == "bytes = 8-bit words: difference(1, 2), zigzag");
}

TEST_CASE("every part can be said otherwise") {
  CHECK(chosen({.type = "i16", .tuple = 2}) ==
        "i16x2 = 16-bit words: difference(2, 1), zigzag, tuple-planes(2)");
  CHECK(chosen({.type = "i16", .order = std::uint8_t{0}}) == "i16 = 16-bit words: planes");
  CHECK(chosen({.type = "i16", .order = std::uint8_t{0}, .zigzag = true}) ==
        "i16 = 16-bit words: zigzag, planes");
  CHECK(chosen({.type = "i16", .zigzag = false}) == "i16 = 16-bit words: difference(1, 1), planes");
  CHECK(chosen({.type = "i16", .layout = Layout::bit_planes}) ==
        "i16 = 16-bit words: difference(1, 1), zigzag, bit-planes");
  CHECK(chosen({.type = "f32", .big_endian = true}) ==
        "f32 = 32-bit words: byteswap, difference(1, 1), zigzag, planes");
}

TEST_CASE("contradictions are refused, repetitions are not") {
  CHECK(chosen({.type = "i16x2", .word = std::uint8_t{2}, .tuple = 2}) != "refused");
  CHECK(chosen({.type = "i16x2", .word = std::uint8_t{4}}) == "refused");
  CHECK(chosen({.type = "i16x2", .tuple = 3}) == "refused");
  CHECK(chosen({.type = "i16x1", .tuple = 3}) == "refused");
  CHECK(chosen({.type = "i24"}) == "refused");
  CHECK(chosen({.big_endian = true}) == "refused");
}
