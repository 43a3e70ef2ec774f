// SPDX-License-Identifier: Apache-2.0
#include "app/options/option_values.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tdz;
using namespace tdz::app;

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("numbers are given as a list, as ranges, or as both") {
  CHECK(parse_numbers("3", 1, 8).value() == Numbers{3});
  CHECK(parse_numbers("1-4", 1, 8).value() == Numbers{1, 2, 3, 4});
  CHECK(parse_numbers("8,1-2,5", 1, 8).value() == Numbers{8, 1, 2, 5});
  CHECK(parse_numbers("1-3,2-4", 1, 8).value() == Numbers{1, 2, 3, 4});
}

TEST_CASE("other text is refused") {
  for (const char* text :
       {"", ",", "1,", ",1", "1-", "-1", "0", "9", "4-1", "1-9", "1 2", "x", "1--2", "1.5"}) {
    CAPTURE(text);
    CHECK(parse_numbers(text, 1, 8).error().kind == ErrorKind::usage);
  }
  CHECK(parse_numbers("1-4294967295", 1, ~0u).error().kind == ErrorKind::usage);
  CHECK(parse_numbers("4294967295", 1, ~0u).value() == Numbers{~0u});
}

TEST_CASE("words, layouts and backends have names") {
  CHECK(parse_words("8,1").value() == std::vector<std::uint8_t>{8, 1});
  CHECK(parse_words("3").error().kind == ErrorKind::usage);
  CHECK(parse_words("1-8").error().kind == ErrorKind::usage);
  CHECK(parse_layouts("planes,packed,bit-planes").value() ==
        std::vector<GridLayout>{{Layout::planes}, {Layout::interleaved, true}, {Layout::bit_planes}});
  CHECK(parse_layouts("all").value().size() == 5);
  for (const char* text : {"planes,", "packed2", "tokens", "planes,all"})
    CHECK(parse_layouts(text).error().kind == ErrorKind::usage);
  CHECK(parse_backends("cpu,cuda,cpu").value() == std::vector{BackendChoice::cpu, BackendChoice::cuda});
  CHECK(parse_backends("auto").error().kind == ErrorKind::usage);
  CHECK(parse_orders("0-8").value().size() == 9);
  CHECK(parse_orders("9").error().kind == ErrorKind::usage);
}

TEST_CASE("a grid has every coding exactly once") {
  const Grid grid{.words = {1, 2},
                  .tuples = {1, 2},
                  .orders = {0, 1},
                  .layouts = {{Layout::interleaved}, {Layout::planes}},
                  .levels = {},
                  .backends = {}};
  // Words of 1: nothing at all, and tuples 1 and 2 at order 1. Words of 2: the same, each with two layouts.
  const auto list = codings(grid);
  CHECK(list.size() == 3 + 6);
  for (const auto& steps : list) CHECK(steps.zigzag == (steps.order > 0));
}

TEST_CASE("codings with the same result are one cell, in grids of any size") {
  Grid grid{.words = {1, 8},
            .tuples = {},
            .orders = {2, 0, 1},
            .layouts = {{Layout::tuple_planes}, {Layout::planes}, {Layout::interleaved}},
            .levels = {},
            .backends = {}};
  for (std::uint32_t tuple = 1; tuple <= 40; ++tuple) grid.tuples.push_back(tuple);
  const auto list = codings(grid);
  for (const auto& one : list) {
    const auto same = [&](const auto& other) { return formats::column_of(one) == formats::column_of(other); };
    CHECK(std::ranges::count_if(list, same) == 1);
  }
  // Each order of difference: with every tuple three layouts, with tuple 1 and with bytes one less. None:
  // tuple-planes of 40 widths, and interleaved.
  CHECK(list.size() == 2 * (40 * 2 - 1) + 40 + 2 * (40 * 3 - 1) + 41);
}

TEST_CASE("packed groups are a layout of the grid: of the tuple's lanes, or of one where it is too long") {
  const Grid grid{.words = {2},
                  .tuples = {1, 3, 256, 257, 300},
                  .orders = {0, 1},
                  .layouts = {{Layout::interleaved}, {Layout::interleaved, true}},
                  .levels = {},
                  .backends = {}};
  std::vector<std::uint32_t> lanes;
  for (const formats::Parameters& steps : codings(grid)) {
    const Column column = formats::column_of(steps);
    CHECK(is_packed(column) == steps.packed);
    CHECK(steps.zigzag == (steps.order > 0));
    if (steps.packed) lanes.push_back(std::get<PackedStep>(column.steps.back()).tuple);
  }
  // Without a difference, groups of the same lanes are one cell.
  CHECK(lanes == std::vector<std::uint32_t>{1, 3, 256, 1, 3, 256, 1, 1});
}
