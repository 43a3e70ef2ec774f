// SPDX-License-Identifier: Apache-2.0
// Do the proposals for lanes, prediction and tokens find what was put into the data, the same on every
// target?
#include <doctest/doctest.h>

#include <random>

#include "codec/search/column/step_proposals.hpp"
#include "kernels/cpu/targets.hpp"

namespace tdz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Lanes = std::vector<std::vector<std::uint64_t>>;

/// Lanes of equal length, lane behind lane.
Bytes bytes_of(unsigned width, const Lanes& lanes) {
  const std::size_t word = LaneMap::of_width(width, 1, 1).word;
  Bytes bytes;
  for (const auto& lane : lanes) {
    for (const std::uint64_t x : lane) {
      for (std::size_t b = 0; b < word; ++b)
        bytes.push_back(b < width ? static_cast<std::uint8_t>(x >> (8 * b)) : 0);
    }
  }
  return bytes;
}

LaneMap map_of(unsigned width, const Lanes& lanes) {
  return LaneMap::of_width(width, static_cast<std::uint32_t>(lanes.size()), lanes.size() * lanes[0].size());
}

/// Steps of up to `step` to either side.
std::vector<std::uint64_t> walk(std::size_t words, std::uint64_t step, std::mt19937_64& random) {
  std::vector<std::uint64_t> lane(words);
  std::uint64_t x = 1u << 20;
  for (std::uint64_t& word : lane) word = x += random() % (2 * step + 1) - step;
  return lane;
}

/// Runs test() on every target.
template <class Test>
void on_each_target(const Test& test) {
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    INFO(target.name);
    test();
  }
  cpu::unforce_target();
}

}  // namespace

TEST_CASE("start times follow from lengths") {
  std::mt19937_64 random(1);
  Lanes lanes(2);
  std::uint64_t start = 1000;
  for (int i = 0; i < 9000; ++i) {
    const std::uint64_t length = 3 + random() % 500;
    lanes[0].push_back(start);
    lanes[1].push_back(length);
    start += length;
  }
  const LaneProposal found = propose_lanes(map_of(8, lanes), bytes_of(8, lanes).data());
  const LaneRule expected{.order = 1, .zigzag = true, .source = 1, .lag = 1, .after = true};
  CHECK(found.rules.lanes[0] == expected);
  CHECK(found.rules.lanes[1] == LaneRule{});
  CHECK(found.bits < found.bits_of_orders * 2 / 3);
}

TEST_CASE("two colours follow the third, without a circle") {
  std::mt19937_64 random(2);
  Lanes lanes(3, walk(9000, 20, random));
  for (std::uint64_t& x : lanes[0]) x += random() % 3;
  for (std::uint64_t& x : lanes[2]) x -= random() % 3;
  for (auto& lane : lanes) {
    for (std::uint64_t& x : lane) x &= 0xFFFF;
  }
  const LaneProposal found = propose_lanes(map_of(2, lanes), bytes_of(2, lanes).data());
  CHECK(found.rules.lanes.size() == 3);
  CHECK(!found.rules.flaw(2));
  const auto sources = std::ranges::count_if(found.rules.lanes, &LaneRule::has_source);
  CHECK(sources == 2);
  CHECK(found.bits < found.bits_of_orders * 3 / 4);
}

TEST_CASE("lanes that have nothing in common stay alone") {
  std::mt19937_64 random(3);
  const Lanes lanes{walk(9000, 5, random), walk(9000, 900, random), walk(9000, 70, random)};
  const LaneProposal found = propose_lanes(map_of(4, lanes), bytes_of(4, lanes).data());
  for (const LaneRule& rule : found.rules.lanes) {
    CHECK(!rule.has_source());
    CHECK(rule.order == 1);
  }
  CHECK(found.bits == found.bits_of_orders);
}

TEST_CASE("few records, one lane and many lanes are looked at, too") {
  std::mt19937_64 random(4);
  for (std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{70}}) {
    for (std::size_t words : {std::size_t{1}, std::size_t{2}, std::size_t{9}, std::size_t{600}}) {
      const Lanes lanes(count, walk(words, 9, random));
      for (unsigned width : {2u, 3u, 8u}) {
        const LaneProposal found = propose_lanes(map_of(width, lanes), bytes_of(width, lanes).data());
        CHECK(found.rules.lanes.size() == count);
        CHECK(!found.rules.flaw(width));
      }
    }
  }
}

TEST_CASE("prediction is proposed for waves and not for noise") {
  std::mt19937_64 random(5);
  Lanes waves(1), noise(1);
  std::int64_t a = 1 << 22, b = 0;
  for (int i = 0; i < 40000; ++i) {
    b += a / 3, a -= b / 3;  // a rotation: a wave of some ten words
    waves[0].push_back(static_cast<std::uint64_t>(a / 1024 + static_cast<std::int64_t>(random() % 16)) &
                       0xFFFF);
    noise[0].push_back((random() % 256 - 128) & 0xFFFF);
  }
  constexpr int kWorthPredicting = 20;  // parts of 1000
  std::vector<int> saved;
  on_each_target([&] {
    saved.push_back(predict_saves(map_of(2, waves), Sign::is_signed, bytes_of(2, waves).data(), 12));
    CHECK(saved.back() == saved.front());
    CHECK(saved.back() > 5 * kWorthPredicting);
    CHECK(predict_saves(map_of(2, noise), Sign::is_signed, bytes_of(2, noise).data(), 12) < kWorthPredicting);
  });
}

TEST_CASE("proposed token codes are codes, the best for what is coded") {
  std::mt19937_64 random(6);
  Lanes small(1), large(1);
  for (int i = 0; i < 5000; ++i) {
    small[0].push_back(random() % 5);
    large[0].push_back(random() >> (random() % 40 + 24));
  }
  for (unsigned width : {1u, 2u, 3u, 4u, 5u, 8u}) {
    const LaneMap map = map_of(width, small);
    for (const TokenCode code : propose_tokens(map, bytes_of(width, small).data())) {
      CHECK(is_token_code(code, map.bits()));
    }
  }
  const auto codes = propose_tokens(map_of(8, large), bytes_of(8, large).data());
  REQUIRE(!codes.empty());
  CHECK(is_token_code(codes[0], 64));
  const auto of_small = propose_tokens(map_of(2, small), bytes_of(2, small).data());
  CHECK(token_of(of_small[0], 4) == 4);  // all five are tokens of their own
  CHECK(propose_tokens(map_of(2, small), Bytes(10000, 0).data()).size() == 3);
}

}  // namespace tdz
