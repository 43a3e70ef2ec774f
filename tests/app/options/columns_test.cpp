// SPDX-License-Identifier: Apache-2.0
// Does --type with the fields of a record give the search its columns?
#include "app/options/columns.hpp"

#include <doctest/doctest.h>

#include "formats/type_name.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

SearchOptions taken(std::string_view type, SearchOptions said = {}) {
  const auto name = take_columns(type, said);
  if (!name) FAIL(name.error().message);
  return said;
}

std::string refusal(std::string_view type, SearchOptions said = {}) {
  const auto name = take_columns(type, said);
  if (name) return "accepted";
  CHECK(name.error().kind == ErrorKind::usage);
  return name.error().message;
}

}  // namespace

TEST_CASE("commas and odd widths name columns, other types do not") {
  for (const char* type : {"u64,f32x5,u32", "u8,u8", "i24", "u40x3", "w56", ",", "u8,"})
    CHECK(names_columns(type));
  for (const char* type : {"i16x2", "u8", "f64", "bytes", "w32", "i12", "", "f24"})
    CHECK_FALSE(names_columns(type));
}

TEST_CASE("columns are fields of the search, and the other options stay") {
  SearchOptions said{.effort = Effort::best, .order = std::uint8_t{2}, .layout = Layout::planes, .big_endian = true};
  CHECK(take_columns("u64,f32x5,i24", said).value() == "u64,f32x5,i24");
  CHECK(said.fields == formats::parse_types("u64,f32x5,i24").value());
  CHECK(said.effort == Effort::best);
  CHECK(said.order == std::uint8_t{2});
  CHECK(said.layout == Layout::planes);
  CHECK(said.big_endian);
  CHECK(taken("i24").fields.size() == 1);
}

TEST_CASE("what does not go with columns is refused") {
  CHECK(refusal("u16,u8", {.word = std::uint8_t{2}}).find("--word") != std::string::npos);
  CHECK(refusal("u16,u8", {.tuple = 2}).find("--tuple") != std::string::npos);
  CHECK(refusal("i24", {.row = 7}) == "--type i24 names columns; --row goes only with one type");
  CHECK(refusal("u8,u12").find("'u12'") != std::string::npos);
  CHECK(refusal("u8x65535,u16").find("65537 bytes") != std::string::npos);
  std::string many = "u8";
  for (int i = 0; i < 64; ++i) many += i % 2 == 0 ? ",i8" : ",u8";
  CHECK(refusal(many).find("65 columns") != std::string::npos);
}
