// SPDX-License-Identifier: Apache-2.0
// What does each option about the numbers fix, and what does it leave open?
#include "app/options/number_choice.hpp"

#include <doctest/doctest.h>

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
