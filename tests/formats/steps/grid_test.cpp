// SPDX-License-Identifier: Apache-2.0
// Does the step `grid` say what it is, refuse what FORMAT.md does not have, and count its blocks?
#include <doctest/doctest.h>

#include "formats/names.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/substreams.hpp"

namespace tdz::formats {
namespace {

GridStep changed(auto change) {
  GridStep step{3, Sign::is_signed, 100, 7, 0x3FFF};
  change(step);
  return step;
}

std::uint64_t blocks_of(std::uint32_t tuple, std::uint32_t line, std::uint32_t height, std::uint64_t words) {
  return GridShape::of(GridStep{tuple, Sign::is_signed, line, height, 1}, words).blocks();
}

}  // namespace

TEST_CASE("grid: its name and its words") {
  CHECK(step_name(GridStep{3, Sign::is_signed, 640, 0, 7}) == "grid(3, 640)");
  CHECK(step_name(GridStep{1, Sign::is_signed, 181, 217, 7}) == "grid(1, 181, 217)");
  CHECK(GridStep{1, Sign::is_signed, 181, 217, 7}.words() ==
        "minus a prediction from neighbours in lines of 181 and slices of 217 lines");
}

TEST_CASE("grid: what it may not have") {
  CHECK_FALSE(changed([](GridStep&) {}).flaw(1));
  CHECK_FALSE(changed([](GridStep& s) { s.line = 16, s.tuple = 16, s.neighbours = 1u << 23; }).flaw(8));
  CHECK(changed([](GridStep& s) { s.tuple = 0; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.tuple = 17; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.sign = Sign{2}; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.line = 15; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.neighbours = 0; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.neighbours = 1u << 24; }).flaw(1));
  CHECK(changed([](GridStep& s) { s.neighbours = 0x1FFFF; }).flaw(1));
}

TEST_CASE("grid: blocks of lines, lanes and slices") {
  CHECK(blocks_of(1, 16, 0, 15) == 0);
  CHECK(blocks_of(1, 16, 0, 16) == 1);
  CHECK(blocks_of(1, 16, 0, 16 * 9) == 2);
  CHECK(blocks_of(1, 17, 0, 17 * 9) == 4);
  CHECK(blocks_of(3, 17, 0, 3 * 17 * 9 + 50) == 12);
  CHECK(blocks_of(1, 16, 9, 16 * 20) == 5);   // slices of 9, 9 and 2 lines
  CHECK(blocks_of(1, 16, 20, 16 * 20) == 3);  // one slice
  CHECK(blocks_of(1, 16, 21, 16 * 20) == 3);
  CHECK(blocks_of(16, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) == 0);
}

TEST_CASE("grid: the lengths of its substreams") {
  const Plan plan{Coding::zstd, {{1, 1, {GridStep{1, Sign::is_signed, 16, 0, 0b101}}}}};
  const auto fits = [&](std::uint64_t original, std::vector<std::uint32_t> lengths) {
    return !check_lengths(substreams(plan, original), lengths, original);
  };
  CHECK(fits(32, {1, 4, 32}));
  CHECK(fits(32, {1, 1024, 32}));
  CHECK_FALSE(fits(32, {1, 1028, 32}));
  CHECK_FALSE(fits(32, {1, 0, 32}));
  CHECK_FALSE(fits(32, {1, 6, 32}));
  CHECK_FALSE(fits(32, {2, 4, 32}));
  CHECK(fits(15, {0, 0, 15}));
  CHECK_FALSE(fits(15, {0, 4, 15}));
}

TEST_CASE("grid: a stream that has it is of version 1.1, and a column has one at most") {
  const GridStep grid{1, Sign::is_signed, 16, 0, 1};
  CHECK(minor_version({Coding::zstd, {{1, 1, {grid}}}}) == 1);
  const auto read_again = [](const Plan& plan) { return parse_plan(serialize(plan)); };
  CHECK(read_again({Coding::zstd, {{1, 1, {grid}}}}));
  CHECK_FALSE(read_again({Coding::zstd, {{1, 1, {grid, grid}}}}));
}

}  // namespace tdz::formats
