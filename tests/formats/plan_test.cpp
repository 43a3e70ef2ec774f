// SPDX-License-Identifier: Apache-2.0
// Which bytes are a plan, and what is wrong with all others: corrupt for lengths, unsupported for values?
// FORMAT.md, sections 3, 5 and 6.
#include <doctest/doctest.h>

#include <functional>
#include <initializer_list>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"

namespace tdz::formats {
namespace {

using Bytes = std::vector<std::byte>;

/// Two columns with all kinds of steps.
Plan every_step() {
  const LanesStep lanes{{{1, true}, {2, false, 0, 1, false}, {0, true, 1, 0, true}}, 1024};
  return {Coding::uniform,
          {{8,
            2,
            {ByteswapStep{}, ScaleStep{2, ScaleKind::real}, lanes, PredictStep{3, Sign::is_signed},
             DifferenceStep{70'000, 2, 65536}, ZigzagStep{}, TokensStep{256, {3, 1}, 4096}}},
           {3, 1, {TuplePlanesStep{5}}},
           {1, 65535, {}},
           {2, 1, {PlanesStep{}}},
           {2, 1, {BitPlanesStep{}}}}};
}

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
  return bytes;
}

/// One column, one word a row, with these bytes of steps.
Bytes with_steps(int width, int steps, std::initializer_list<int> values) {
  Bytes bytes = bytes_of({1, 0, 0, 0, width, steps, 1, 0});
  const Bytes rest = bytes_of(values);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

enum class Verdict { good, corrupt, unsupported };

Verdict verdict(const Bytes& bytes) {
  const auto plan = parse_plan(bytes, 1000);
  if (plan) return Verdict::good;
  CHECK(plan.error().where == 1000);
  const bool corrupt = plan.error().kind == ErrorKind::corrupt;
  CHECK((corrupt || plan.error().kind == ErrorKind::unsupported));
  return corrupt ? Verdict::corrupt : Verdict::unsupported;
}

Plan one_column(Column column) {
  return {Coding::zstd, {std::move(column)}};
}

}  // namespace

TEST_CASE("a plan comes back from its bytes") {
  Plan plan = every_step();
  plan.columns[2].count = 1000;
  REQUIRE(check(plan));
  const Bytes bytes = serialize(plan);
  CHECK(plan_bytes(plan) == bytes.size());
  const auto parsed = parse_plan(bytes);
  REQUIRE(parsed);
  CHECK(*parsed == plan);
}

TEST_CASE("the example of FORMAT.md") {
  const Bytes bytes = bytes_of(
      {1, 0, 0, 0, 2, 3, 2, 0, 2, 0, 8, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 5, 0, 4, 0, 2, 0, 0, 0});
  const auto plan = plan_of(std::vector<NumberType>{{'i', 2, 2}});
  REQUIRE(plan);
  CHECK(serialize(*plan) == bytes);
}

TEST_CASE("a plan that ends anywhere else is corrupt") {
  Plan plan = every_step();
  plan.columns[2].count = 1;
  Bytes bytes = serialize(plan);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK(verdict(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))) ==
          Verdict::corrupt);
  }
  bytes.push_back(std::byte{0});
  CHECK(verdict(bytes) == Verdict::corrupt);
  const auto length = plan_length(bytes);
  REQUIRE(length);
  CHECK(*length == bytes.size() - 1);
  CHECK_FALSE(plan_length(std::span(bytes).first(9)));
}

TEST_CASE("every byte of a plan may be wrong: what is still a plan, is one for callers too") {
  Plan plan = every_step();
  plan.columns[2].count = 1;
  const Bytes bytes = serialize(plan);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (unsigned value = 0; value < 256; ++value) {
      Bytes changed = bytes;
      changed[i] = static_cast<std::byte>(value);
      const auto parsed = parse_plan(changed);
      if (!parsed) {
        CHECK((parsed.error().kind == ErrorKind::corrupt || parsed.error().kind == ErrorKind::unsupported));
        continue;
      }
      CHECK(check(*parsed));
      CHECK(serialize(*parsed) == changed);
    }
  }
}

TEST_CASE("the shape is judged before any value, and lengths of parameters before their values") {
  CHECK(verdict(bytes_of({0, 0, 0, 0})) == Verdict::unsupported);              // no column
  CHECK(verdict(bytes_of({0, 0, 0, 0, 1})) == Verdict::corrupt);               // and a byte too many
  CHECK(verdict(bytes_of({1, 2, 0, 0, 1, 0, 1, 0})) == Verdict::unsupported);  // coding
  CHECK(verdict(bytes_of({1, 2, 0, 0, 1, 1, 1, 0})) == Verdict::corrupt);      // and no step
  CHECK(verdict(bytes_of({1, 0, 1, 0, 1, 0, 1, 0})) == Verdict::unsupported);  // zero
  CHECK(verdict(bytes_of({1, 0, 0, 0, 1, 0, 1, 0})) == Verdict::good);
  CHECK(verdict(with_steps(0, 0, {})) == Verdict::unsupported);
  CHECK(verdict(with_steps(9, 0, {})) == Verdict::unsupported);
  CHECK(verdict(with_steps(1, 1, {255, 255, 0, 0})) == Verdict::unsupported);
  CHECK(verdict(with_steps(1, 1, {0, 0, 0, 0})) == Verdict::unsupported);
  CHECK(verdict(with_steps(1, 1, {3, 0, 1, 0, 0})) == Verdict::corrupt);
  CHECK(verdict(with_steps(1, 2, {2, 0, 8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0})) ==
        Verdict::unsupported);
  CHECK(verdict(with_steps(1, 2, {2, 0, 7, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1, 0, 0})) == Verdict::corrupt);
  CHECK(verdict(with_steps(1, 1, {8, 0, 3, 0, 1, 0, 0})) == Verdict::corrupt);
  CHECK(verdict(with_steps(1, 1, {8, 0, 4, 0, 1, 0, 0, 0})) == Verdict::corrupt);
  CHECK(verdict(with_steps(1, 1, {8, 0, 4, 0, 0, 0, 0, 0})) == Verdict::unsupported);
}

TEST_CASE("values of steps that version 1.0 does not have") {
  const auto difference = [](int order, int r, int zero) {
    return with_steps(1, 1, {2, 0, 8, 0, 1, 0, 0, 0, order, r, zero, 0});
  };
  CHECK(verdict(difference(8, 16, 0)) == Verdict::good);
  for (const int order : {0, 9, 255}) CHECK(verdict(difference(order, 0, 0)) == Verdict::unsupported);
  for (const int r : {1, 9, 17, 31, 32, 33, 255}) CHECK(verdict(difference(1, r, 0)) == Verdict::unsupported);
  CHECK(verdict(difference(1, 0, 1)) == Verdict::unsupported);
  const auto scale = [](int width, int s, int kind) {
    return with_steps(width, 1, {7, 0, 4, 0, s & 255, s >> 8, kind, 0});
  };
  CHECK(verdict(scale(3, 256, 0)) == Verdict::good);
  CHECK(verdict(scale(4, 1, 1)) == Verdict::good);
  CHECK(verdict(scale(3, 1, 1)) == Verdict::unsupported);
  CHECK(verdict(scale(4, 1, 2)) == Verdict::unsupported);
  CHECK(verdict(scale(4, 0, 1)) == Verdict::unsupported);
  CHECK(verdict(scale(4, 257, 1)) == Verdict::unsupported);
  const auto tokens = [](int width, int k, int m) {
    return with_steps(width, 1, {10, 0, 8, 0, 1, 0, k, m, 0, 0, 0, 0});
  };
  CHECK(verdict(tokens(8, 7, 1)) == Verdict::good);
  CHECK(verdict(tokens(8, 7, 2)) == Verdict::unsupported);
  CHECK(verdict(tokens(8, 1, 2)) == Verdict::unsupported);
  CHECK(verdict(tokens(8, 255, 0)) == Verdict::unsupported);
}

TEST_CASE("lanes: sources, flags and depth") {
  const auto lanes = [](int flags, int source) {
    return with_steps(1, 1, {8, 0, 12, 0, 2, 0, 0, 0, 0, 0, 255, 255, 0, flags, source & 255, source >> 8});
  };
  CHECK(verdict(lanes(7, 0)) == Verdict::good);
  CHECK(verdict(lanes(1, 0xFFFF)) == Verdict::good);
  CHECK(verdict(lanes(2, 0xFFFF)) == Verdict::unsupported);
  CHECK(verdict(lanes(8, 0)) == Verdict::unsupported);
  CHECK(verdict(lanes(0, 1)) == Verdict::unsupported);
  CHECK(verdict(lanes(0, 2)) == Verdict::unsupported);
  LanesStep chain;
  for (std::uint16_t l = 0; l < 10; ++l) chain.lanes.push_back({0, false, static_cast<std::uint16_t>(l - 1)});
  CHECK_FALSE(check(one_column({1, 1, {chain}})));
  chain.lanes.pop_back();
  CHECK(check(one_column({1, 1, {chain}})));
}

TEST_CASE("rules of a column") {
  const PlanesStep planes;
  const DifferenceStep high{1, 8}, low{1, 1};
  const PredictStep predict;
  const TokensStep tokens{1, {3, 1}, 0};
  CHECK(check(one_column({2, 1, {high, high, planes}})));
  for (const auto& steps : std::initializer_list<std::vector<PlanStep>>{{planes, planes},
                                                                        {tokens, ZigzagStep{}},
                                                                        {predict, predict},
                                                                        {ScaleStep{}, ScaleStep{}},
                                                                        {LanesStep{{{}}}, LanesStep{{{}}}},
                                                                        {high, high, low}}) {
    const Plan plan = one_column({2, 1, steps});
    const auto checked = check(plan);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().kind == ErrorKind::usage);
    CHECK(verdict(serialize(plan)) == Verdict::unsupported);
  }
}

TEST_CASE("limits of rows, columns and steps") {
  CHECK(check({Coding::zstd, {{1, 65535, {}}, {1, 1, {}}}}));
  CHECK_FALSE(check({Coding::zstd, {{1, 65535, {}}, {2, 1, {}}}}));
  CHECK(check({Coding::zstd, std::vector<Column>(64)}));
  CHECK_FALSE(check({Coding::zstd, std::vector<Column>(65)}));
  CHECK_FALSE(check(Plan{}));
  CHECK_FALSE(check(one_column({1, 0, {}})));
  const std::vector<PlanStep> eight(8, ZigzagStep{});
  CHECK(check(one_column({1, 1, eight})));
  std::vector<PlanStep> nine = eight;
  nine.push_back(ZigzagStep{});
  CHECK_FALSE(check(one_column({1, 1, nine})));
  const LanesStep wide{std::vector<LaneRule>(256)};
  CHECK(check({Coding::zstd, std::vector<Column>(60, {1, 1, {wide}})}));
  CHECK_FALSE(check({Coding::zstd, std::vector<Column>(64, {1, 1, {wide}})}));
}

TEST_CASE("types of fields become columns, and a column one column") {
  const auto types = parse_types("u64,f32x5,u32,i24,bytesx3");
  REQUIRE(types);
  const auto plan = plan_of(*types);
  REQUIRE(plan);
  CHECK(row_bytes(*plan) == 8 + 20 + 4 + 3 + 3);
  CHECK(plan->columns[1].count == 5);
  CHECK(plan->columns[3].width == 3);
  CHECK_FALSE(plan_of(std::vector<NumberType>(2, {'u', 1, 65535})));
  const auto line = plan_of(std::vector<NumberType>{{'u', 1, 65536}});
  REQUIRE(line);
  CHECK(line->columns[0].count == 1);

  Column column{.width = 2};
  column.steps.insert(column.steps.end(), {DifferenceStep{3, 2}, ZigzagStep{}, PlanesStep{}});
  CHECK(plan_of(column) == Plan{Coding::zstd, {column}});
  CHECK(exact_parameters_of(plan_of(column)));
  CHECK_FALSE(exact_parameters_of(*plan));
}

}  // namespace tdz::formats
