// SPDX-License-Identifier: Apache-2.0
// Does --type with the fields of a record give a plan of columns instead of a search?
#include "app/options/columns.hpp"

#include <doctest/doctest.h>

#include "formats/plan/made_plans.hpp"
#include "formats/type_name.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

CompressOptions taken(std::string_view type, const SearchOptions& said = {}, CompressOptions to = {}) {
  to.search = said;
  const auto done = take_columns(type, said, to);
  if (!done) FAIL(done.error().message);
  return to;
}

std::string refusal(std::string_view type, const SearchOptions& said = {}) {
  CompressOptions to;
  const auto done = take_columns(type, said, to);
  if (done) return "accepted";
  CHECK(done.error().kind == ErrorKind::usage);
  return done.error().message;
}

}  // namespace

TEST_CASE("commas and odd widths name columns, other types do not") {
  for (const char* type : {"u64,f32x5,u32", "u8,u8", "i24", "u40x3", "w56", ",", "u8,"})
    CHECK(names_columns(type));
  for (const char* type : {"i16x2", "u8", "f64", "bytes", "w32", "i12", "", "f24"})
    CHECK_FALSE(names_columns(type));
}

TEST_CASE("columns are a plan, and nothing is searched") {
  const auto options = taken("u64,f32x5,i24");
  CHECK_FALSE(options.search);
  CHECK(options.type == "u64,f32x5,i24");
  CHECK(options.plan == formats::plan_of(*formats::parse_types("u64,f32x5,i24")).value());
  CHECK(options.plan.columns[1].kind == 'f');
  CHECK(options.level == 0);
  CHECK(options.chunk_bytes == 0);
}

TEST_CASE("order and byte order hold for each column") {
  const auto options = taken("u16,bytes,i24", {.order = std::uint8_t{2}, .big_endian = true});
  const PlanStep byteswap = PlainStep{Step::byteswap()};
  const auto& columns = options.plan.columns;
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].steps[0] == byteswap);
  CHECK(columns[0].steps[1] == PlanStep{PlainStep{Step::difference(1, 2)}});
  CHECK(columns[1].steps.empty());
  CHECK(columns[2].steps[0] == byteswap);
  CHECK(taken("u16,u8", {.order = std::uint8_t{0}}).plan.columns[0].steps[0] ==
        PlanStep{PlainStep{Step::zigzag()}});
}

TEST_CASE("effort is a level and a chunk length") {
  CHECK(taken("u16,u8", {.effort = Effort::fast}).level == 1);
  CHECK(taken("u16,u8", {.effort = Effort::best}).level == 16);
  CHECK(taken("u16,u8", {.effort = Effort::best}).chunk_bytes == 4u << 20);
  CompressOptions said;
  said.level = 5, said.chunk_bytes = 65536;
  CHECK(taken("u16,u8", {.effort = Effort::best}, said).level == 5);
  CHECK(taken("u16,u8", {.effort = Effort::best}, said).chunk_bytes == 65536);
}

TEST_CASE("what does not go with columns is refused") {
  CHECK(refusal("u16,u8", {.word = std::uint8_t{2}}).find("--word") != std::string::npos);
  CHECK(refusal("u16,u8", {.tuple = 2}).find("--tuple") != std::string::npos);
  CHECK(refusal("u16,u8", {.zigzag = true}).find("--zigzag") != std::string::npos);
  CHECK(refusal("u16,u8", {.layout = Layout::planes}).find("--layout") != std::string::npos);
  CHECK(refusal("i24", {.row = 7}) == "--type i24 names columns; --row goes only with one type");
  CHECK(refusal("u8,u12").find("'u12'") != std::string::npos);
  CHECK(refusal("u8x65535,u16").find("65537 bytes") != std::string::npos);
  std::string many = "u8";
  for (int i = 0; i < 64; ++i) many += i % 2 == 0 ? ",i8" : ",u8";
  CHECK(refusal(many).find("65 columns") != std::string::npos);
}
