// SPDX-License-Identifier: Apache-2.0
// What does each option about the numbers fix, and what does it leave open? Does --type with the fields of a
// record give the search its columns? Do the options that are printed for steps mean the same steps?
#include "app/options/number_options.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "app/options/command_line.hpp"
#include "codec/search/column/kinds.hpp"
#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"

using namespace tdz;
using namespace tdz::app;

namespace {

struct Choice {
  SearchOptions search;
  std::string type;
};

Choice chosen(std::optional<std::string> type, SearchOptions said = {}) {
  const std::string name = name_numbers(type, said).value();
  return {said, name};
}

bool refused(std::optional<std::string> type, SearchOptions said) {
  const auto name = name_numbers(type, said);
  return !name && name.error().kind == ErrorKind::usage;
}

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

/// The steps that the options fix.
Plan asked_for(const std::string& options) {
  std::istringstream text(options);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  words.emplace_back("file");
  const auto command = parse_command_line(words).value();
  const SearchOptions said = *std::get<CompressCommand>(command).codec.search;
  return formats::plan_of(formats::column_of(apply_request(said, {})));
}

}  // namespace

TEST_CASE("without options everything is open") {
  const auto [search, type] = chosen({});
  CHECK_FALSE(search.word);
  CHECK_FALSE(search.tuple);
  CHECK_FALSE(search.order);
  CHECK_FALSE(search.zigzag);
  CHECK_FALSE(search.layout);
  CHECK_FALSE(search.row);
  CHECK_FALSE(search.big_endian);
  CHECK(type.empty());
}

TEST_CASE("a type fixes the word, and the tuple if it names one") {
  const auto pairs = chosen("i16x2");
  CHECK(pairs.search.word == 2);
  CHECK(pairs.search.tuple == 2u);
  CHECK(pairs.type == "i16x2");
  const auto plain = chosen("f64");
  CHECK(plain.search.word == 8);
  CHECK_FALSE(plain.search.tuple);
  CHECK(chosen("f64x1").search.tuple == 1u);
  CHECK_FALSE(plain.search.order);
}

TEST_CASE("word and tuple are a type without a name") {
  const auto choice = chosen({}, {.word = std::uint8_t{4}, .tuple = 3});
  CHECK(choice.search.word == 4);
  CHECK(choice.search.tuple == 3u);
  CHECK(choice.type == "w32x3");
  const auto tuple = chosen({}, {.tuple = 3});
  CHECK_FALSE(tuple.search.word);
  CHECK(tuple.search.tuple == 3u);
}

TEST_CASE("every part can be fixed") {
  const auto [search, type] = chosen("i16", {.tuple = 2,
                                             .order = std::uint8_t{0},
                                             .zigzag = false,
                                             .layout = Layout::bit_planes,
                                             .row = 640,
                                             .big_endian = true});
  CHECK(type == "i16x2");
  CHECK(search.tuple == 2u);
  CHECK(search.order == 0);
  CHECK(search.zigzag == false);
  CHECK(search.layout == Layout::bit_planes);
  CHECK(search.row == 640u);
  CHECK(search.big_endian);
}

TEST_CASE("contradictions are refused, repetitions are allowed") {
  CHECK_FALSE(refused("i16x2", {.word = std::uint8_t{2}, .tuple = 2}));
  CHECK(refused("i16x2", {.word = std::uint8_t{4}}));
  CHECK(refused("i16x2", {.tuple = 3}));
  CHECK(refused("i16x1", {.tuple = 3}));
  CHECK(refused("i24", {}));
  CHECK(refused({}, {.big_endian = true}));
}

TEST_CASE("commas and odd widths name columns, other types do not") {
  for (const char* type : {"u64,f32x5,u32", "u8,u8", "i24", "u40x3", "w56", ",", "u8,"})
    CHECK(names_columns(type));
  for (const char* type : {"i16x2", "u8", "f64", "bytes", "w32", "i12", "", "f24"})
    CHECK_FALSE(names_columns(type));
}

TEST_CASE("columns are fields of the search, and the other options stay") {
  SearchOptions said{
      .effort = Effort::best, .order = std::uint8_t{2}, .layout = Layout::planes, .big_endian = true};
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

TEST_CASE("steps become options and steps again") {
  for (const std::uint8_t word : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{8}}) {
    for (const std::uint32_t tuple : {1u, 3u}) {
      for (const std::uint8_t order : {std::uint8_t{1}, std::uint8_t{4}}) {
        for (const Layout layout :
             {Layout::interleaved, Layout::planes, Layout::tuple_planes, Layout::bit_planes}) {
          for (const std::uint32_t row : {0u, 640u}) {
            const Plan plan = formats::plan_of(
                formats::column_of({word, tuple, order, layout != Layout::planes, layout, word == 8, row}));
            const std::string options = step_options(plan).value();
            INFO(formats::plan_name(plan), " as ", options);
            CHECK(asked_for(options) == plan);
          }
        }
      }
    }
  }
  CHECK(has_no_steps(asked_for(step_options(plain_plan()).value())));
}

TEST_CASE("plans that no options ask for have none") {
  CHECK_FALSE(step_options({Coding::zstd, {Column{}, Column{}}}));
  CHECK_FALSE(step_options({Coding::zstd, {{2, 1, {PredictStep{}}}}}));
}

TEST_CASE("a request becomes the options that make it") {
  CHECK(request_options({}).empty());
  SearchOptions request{.word = std::uint8_t{2},
                        .order = std::uint8_t{1},
                        .zigzag = false,
                        .layout = Layout::planes,
                        .row = 640,
                        .big_endian = true};
  CHECK(request_options(request) == "--word 2 --order 1 --zigzag off --layout planes --row 640 --big-endian");
  request = {.fields = {{'u', 8, 1}, {'f', 4, 5}}, .big_endian = true};
  CHECK(request_options(request) == "--type u64,f32x5 --big-endian");
}
