// SPDX-License-Identifier: Apache-2.0
// Do the substreams of a chunk give the chunk again, whatever its plan is?
#include <doctest/doctest.h>

#include <bit>
#include <optional>
#include <string>

#include "formats/bytes.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "kernels/steps/column_encoder.hpp"
#include "tests/codec/random_plans.hpp"
#include "tests/hex.hpp"
#include "tests/rounds.hpp"
#include "tests/steps/random_steps.hpp"

namespace tdz::test {
namespace {

using Bytes = std::vector<std::byte>;

/// The chunk that comes back, or what failed.
Result<Bytes> there_and_back(const Plan& plan, const Bytes& chunk) {
  ColumnEncoder encoder;
  auto coded = encoder.encode(plan, {}, chunk);
  if (!coded) return coded.error();
  ColumnDecoder decoder;
  Bytes out(chunk.size(), std::byte{0xC5});
  if (auto done = decoder.decode(plan, coded->lengths, coded->bytes, out); !done) return done.error();
  return out;
}

/// Noise may pass the limit of section 6; nothing else may fail.
bool comes_back(const Plan& plan, const Bytes& chunk) {
  const auto back = there_and_back(plan, chunk);
  if (!back) {
    INFO(back.error().message);
    CHECK(back.error().kind == ErrorKind::limit);
    return back.error().kind == ErrorKind::limit;
  }
  return *back == chunk;
}

/// Lengths around rows, blocks and runs.
std::size_t length_for(Chance& chance, const Plan& plan) {
  constexpr std::size_t kRows[] = {0, 1, 2, 7, 8, 9, 31, 1000, 1024, 1025, 4096, 5000};
  const std::size_t row = row_bytes(plan);
  const std::size_t rows = std::min<std::size_t>(chance.one_of(kRows), 200'000 / row + 1);
  return rows * row + (chance.once_in(2) ? 0 : chance.below(row));
}

Column column(std::uint8_t width, std::vector<PlanStep> steps) {
  return {width, 1, std::move(steps)};
}

}  // namespace

TEST_CASE("what is coded by any plan comes back") {
  for (std::uint64_t seed = 0; seed < rounds_by_chance(3000); ++seed) {
    Chance chance(seed);
    const Plan plan = random_plan(chance);
    REQUIRE(formats::check(plan));
    const Bytes chunk = random_chunk(chance, length_for(chance, plan));
    INFO("seed ", seed, ", plan ", hex(formats::serialize(plan)), ", ", chunk.size(), " bytes");
    CHECK(comes_back(plan, chunk));
  }
}

TEST_CASE("every instruction set makes the same substreams") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Chance chance(seed);
    const Plan plan = random_plan(chance);
    const Bytes chunk = random_chunk(chance, length_for(chance, plan));
    INFO("seed ", seed, ", plan ", hex(formats::serialize(plan)), ", ", chunk.size(), " bytes");
    std::optional<Bytes> first;
    for (const cpu::Target& target : cpu::supported_targets()) {
      cpu::force_target(target);
      ColumnEncoder encoder;
      const auto coded = encoder.encode(plan, {}, chunk);
      if (!coded) break;
      const Bytes bytes(coded->bytes.begin(), coded->bytes.end());
      if (!first) first = bytes;
      CHECK(bytes == *first);
    }
    cpu::unforce_target();
  }
}

TEST_CASE("every width and every step comes back, at every small length") {
  for (std::uint8_t width = 1; width <= 8; ++width) {
    const std::vector<PlanStep> steps = {
        ByteswapStep{},
        DifferenceStep{1, 1},
        DifferenceStep{3, 8, 1024},
        ZigzagStep{},
        PlanesStep{},
        TuplePlanesStep{3},
        BitPlanesStep{},
        ScaleStep{2, ScaleKind::integer},
        LanesStep{{{1, true}, {0, true, 0, 1, true}}, 0},
        PredictStep{2, Sign::is_signed},
        TokensStep{2, {3, 1}, 1024},
    };
    for (const PlanStep& step : steps) {
      const Plan plan{Coding::zstd, {{width, 2, {step}}}};
      REQUIRE(formats::check(plan));
      for (std::size_t bytes = 0; bytes < 80; ++bytes) {
        Chance chance(bytes);
        INFO("width ", unsigned{width}, ", plan ", hex(formats::serialize(plan)), ", ", bytes, " bytes");
        CHECK(comes_back(plan, random_chunk(chance, bytes)));
      }
    }
  }
}

TEST_CASE("each step there is comes back, with any parameters and words") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Chance chance(seed);
    const auto width = static_cast<std::uint8_t>(1 + seed % 8);
    for (const PlanStep& step : every_step(chance, width)) {
      const Plan plan{Coding::zstd, {{width, static_cast<std::uint16_t>(1 + chance.below(3)), {step}}}};
      REQUIRE(formats::check(plan));
      const Bytes chunk = random_chunk(chance, length_for(chance, plan));
      INFO("seed ", seed, ", plan ", hex(formats::serialize(plan)), ", ", chunk.size(), " bytes");
      CHECK(comes_back(plan, chunk));
    }
  }
}

TEST_CASE("one column of plain steps gives what its column gives") {
  Column column{.width = 4};
  column.steps.insert(column.steps.end(), {DifferenceStep{2, 2}, ZigzagStep{}, TuplePlanesStep{2}});
  for (const std::size_t bytes : {0u, 1u, 3u, 4u, 8u, 11u, 4096u, 100'003u}) {
    Chance chance(bytes);
    const Bytes chunk = random_chunk(chance, bytes);
    Bytes expected(bytes), scratch(bytes);
    cpu::forward({column.width, column.steps, chunk, expected, scratch});
    ColumnEncoder encoder;
    const auto coded = encoder.encode(formats::plan_of(column), {}, chunk);
    REQUIRE(coded);
    CHECK(Bytes(coded->bytes.begin(), coded->bytes.end()) == expected);
  }
}

TEST_CASE("a plan without steps copies nothing") {
  Chance chance(1);
  const Bytes chunk = random_chunk(chance, 1003);
  ColumnEncoder encoder;
  const auto coded = encoder.encode({Coding::zstd, {column(4, {})}}, {}, chunk);
  REQUIRE(coded);
  CHECK(coded->bytes.data() == chunk.data());
  CHECK(coded->lengths == std::vector<std::uint32_t>{1000, 3});
}

TEST_CASE("fields of a row come to lie together") {
  Bytes chunk;
  for (unsigned i = 0; i < 10; ++i) chunk.push_back(std::byte{static_cast<std::uint8_t>(i)});
  const Plan plan{Coding::zstd, {{1, 1, {}}, {3, 1, {}}}};
  ColumnEncoder encoder;
  const auto coded = encoder.encode(plan, {}, chunk);
  REQUIRE(coded);
  CHECK(hex(coded->bytes) ==
        "0004"
        "010203050607"
        "0809");
  CHECK(coded->lengths == std::vector<std::uint32_t>{2, 6, 2});
}

TEST_CASE("words of one column, by numbers") {
  Bytes chunk;
  for (const int word : {3, 5, 100, 300}) {
    chunk.push_back(static_cast<std::byte>(word));
    chunk.push_back(static_cast<std::byte>(word >> 8));
  }
  ColumnEncoder encoder;
  const auto coded = encoder.encode({Coding::zstd, {column(2, {TokensStep{1, {2, 1}, 0}})}}, {}, chunk);
  REQUIRE(coded);
  CHECK(hex(coded->bytes) ==
        "03040d10"
        "6091");  // the example of FORMAT.md
}

TEST_CASE("lengths agree with what the plan promises") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Chance chance(seed);
    const Plan plan = random_plan(chance);
    const Bytes chunk = random_chunk(chance, length_for(chance, plan));
    ColumnEncoder encoder;
    const auto coded = encoder.encode(plan, {}, chunk);
    if (!coded) continue;
    CHECK_FALSE(
        formats::check_lengths(formats::substreams(plan, chunk.size()), coded->lengths, chunk.size()));
  }
}

TEST_CASE("numbers with a step become integers with few holes") {
  Bytes bytes;
  for (int i = 0; i < 5000; ++i)
    formats::put_le(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(i % 977) * 0.5f));
  const Plan plan{Coding::zstd, {column(4, {ScaleStep{1, ScaleKind::real}})}};
  ColumnEncoder encoder;
  const auto coded = encoder.encode(plan, {}, bytes);
  REQUIRE(coded);
  CHECK(coded->lengths[0] == 16);
  CHECK(coded->lengths[3] <= 4 * 50);
}

TEST_CASE("hostile substreams are corrupt or bytes, and nothing else") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Chance chance(seed);
    const Plan plan = random_plan(chance);
    const Bytes chunk = random_chunk(chance, length_for(chance, plan));
    ColumnEncoder encoder;
    const auto coded = encoder.encode(plan, {}, chunk);
    if (!coded || coded->bytes.empty()) continue;
    // Memory of its own, as long as it says: a read behind it is seen by the sanitizer.
    Bytes bytes(coded->bytes.begin(), coded->bytes.end());
    for (int k = 0; k < 4; ++k) bytes[chance.below(bytes.size())] = static_cast<std::byte>(chance.bits());
    std::vector<std::uint32_t> lengths = coded->lengths;
    if (chance.once_in(3)) {
      lengths[chance.below(lengths.size())] += static_cast<std::uint32_t>(chance.below(5)) - 2;
      std::uint64_t sum = 0;
      for (const std::uint32_t length : lengths) sum += length;
      if (sum < 10'000'000) bytes.resize(sum);
    }
    Bytes out(chunk.size());
    ColumnDecoder decoder;
    const auto done = decoder.decode(plan, lengths, bytes, out);
    if (!done) {
      CHECK(done.error().kind == ErrorKind::corrupt);
      ++refused;
    }
  }
  CHECK(refused > 100);
}

}  // namespace tdz::test
