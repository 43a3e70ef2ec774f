// SPDX-License-Identifier: Apache-2.0
// Does every name mean exactly one type or layout?
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "formats/names.hpp"

namespace tdz::formats {

TEST_CASE("the name of every type is read as that type") {
  for (const char kind : {'u', 'i', 'f', '\0'}) {
    for (const std::uint8_t word : std::array<std::uint8_t, 4>{1, 2, 4, 8}) {
      for (const std::uint32_t tuple : {1u, 2u, 3u, 90'000u, 0xFFFFFFFFu}) {
        if (kind == 'f' && word == 1) continue;
        const NumberType type{kind, word, tuple};
        const std::string name = type_name(type);
        CAPTURE(name);
        const auto parsed = parse_type(name);
        REQUIRE(parsed);
        CHECK(*parsed == type);
      }
    }
  }
}

TEST_CASE("names mean what people expect") {
  CHECK(*parse_type("i16x2") == NumberType{'i', 2, 2});
  CHECK(*parse_type("u8") == NumberType{'u', 1, 1});
  CHECK(*parse_type("f64x3") == NumberType{'f', 8, 3});
  CHECK(*parse_type("i16x1") == NumberType{'i', 2, 1});
  CHECK(*parse_type("bytes") == NumberType{});
  CHECK(*parse_type("w8") == NumberType{});
  CHECK(type_name({0, 1, 1}) == "bytes");
  CHECK(type_name({0, 4, 3}) == "w32x3");
  CHECK(type_name({0, 1, 3}) == "w8x3");
}

TEST_CASE("floats without rules of their own are integers of as many bits") {
  CHECK(*parse_type("bf16") == NumberType{'u', 2, 1});
  CHECK(*parse_type("bf16x4") == NumberType{'u', 2, 4});
  CHECK(*parse_type("f8e4m3") == NumberType{'u', 1, 1});
  CHECK(*parse_type("f8e5m2x3") == NumberType{'u', 1, 3});
  CHECK(type_names(*parse_types("bf16,f32,f8e4m3")) == "u16,f32,u8");
}

TEST_CASE("a name that is not a type is refused, with a list of types") {
  for (const std::string_view name : {"",
                                      "x",
                                      "i",
                                      "16",
                                      "i16x",
                                      "i16x0",
                                      "i16x02",
                                      "i016",
                                      "i16x-1",
                                      "i16x+1",
                                      "i16x 2",
                                      "i16x2x2",
                                      "i16x4294967296",
                                      "i16 ",
                                      " i16",
                                      "I16",
                                      "i12",
                                      "i128",
                                      "i264",
                                      "f8",
                                      "f8x2",
                                      "int16",
                                      "bytesx0",
                                      "bf32",
                                      "bf16x",
                                      "f8e4m",
                                      "f8e4m34",
                                      "u8,u8",
                                      "i16\n",
                                      "i99999999999999999999"}) {
    CAPTURE(name);
    const auto parsed = parse_type(name);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::usage);
    CHECK(parsed.error().message.find("f32x3") != std::string::npos);
  }
}

TEST_CASE("the name of every layout is read as that layout") {
  for (const Layout layout :
       {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
    const auto parsed = parse_layout(layout_name(layout));
    REQUIRE(parsed);
    CHECK(*parsed == layout);
  }
  CHECK(layout_name(Layout::tuple_planes) == "tuple-planes");
}

TEST_CASE("a name that is not a layout is refused, with a list of layouts") {
  for (const std::string_view name : {"", "plane", "planes ", "Planes", "tuple_planes"}) {
    const auto parsed = parse_layout(name);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::usage);
    CHECK(parsed.error().message.find("bit-planes") != std::string::npos);
  }
}

TEST_CASE("fields of a row are types with commas between them") {
  const auto types = parse_types("u64,f32x5,i24,w40x2,bytes");
  REQUIRE(types);
  CHECK(*types == std::vector<NumberType>{{'u', 8, 1}, {'f', 4, 5}, {'i', 3, 1}, {0, 5, 2}, {0, 1, 1}});
  CHECK(type_names(*types) == "u64,f32x5,i24,w40x2,bytes");
  for (const char* name : {"", ",", "u8,", ",u8", "u8,,u8", "u8, u8", "f24", "f8", "u0", "u72", "u12",
                           "u24x0", "i24x", "u8;u8", "u99999999999999999999"}) {
    CAPTURE(name);
    const auto refused = parse_types(name);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::usage);
  }
  CHECK_FALSE(parse_type("i24"));
  CHECK_FALSE(parse_type("u8,u8"));
}

}  // namespace tdz::formats
