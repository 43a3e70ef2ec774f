// SPDX-License-Identifier: Apache-2.0
// Does the step `lanes` follow its definition on every target, and come back?
#include <random>

#include "tests/kernels/columns.hpp"

namespace tdz {
namespace {

using test::ByteVector;

/// Rules without circles: a lane may follow any lane of a random order that stands before it, at most 8 deep.
LanesStep random_rules(std::uint32_t tuple, std::uint32_t run, std::mt19937& random) {
  LanesStep rules{std::vector<LaneRule>(tuple), run};
  std::vector<std::uint16_t> order(tuple);
  for (std::uint16_t l = 0; l < tuple; ++l) order[l] = l;
  for (std::uint32_t l = tuple; l > 1; --l) std::swap(order[l - 1], order[random() % l]);
  for (std::uint32_t k = 0; k < tuple; ++k) {
    LaneRule& rule = rules.lanes[order[k]];
    rule.order = static_cast<std::uint8_t>(random() % 9);
    rule.zigzag = random() % 2 == 0;
    if (k == 0 || random() % 3 == 0) continue;
    rule.source = order[k - 1 - random() % std::min(k, 4u)];
    rule.lag = static_cast<std::uint8_t>(random() % 2);
    rule.after = random() % 2 == 0;
    if (rules.flaw(8)) rule = {.order = rule.order, .zigzag = rule.zigzag};  // too deep
  }
  return rules;
}

void check_rules(const oracle::Column& column, const LanesStep& rules) {
  const LaneMap map = test::map_of(column);
  REQUIRE(rules.lanes.size() == map.tuple);
  REQUIRE(!rules.flaw(map.width));
  const oracle::Column coded = oracle::lanes(column, rules);
  CHECK(oracle::undo_lanes(coded, rules).x == column.x);
  const ByteVector in = test::lanes_of(column), expected = test::lanes_of(coded);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": width ", column.width, ", tuple ", column.tuple, ", ", map.words, " words");
    ByteVector scratch(map.words > 0 ? map.length(0) * map.word : 0);
    CHECK(test::guarded(in, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            cpu::encode_lanes(map, rules, from, to, scratch.data());
          }) == expected);
    CHECK(test::guarded(expected, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            cpu::decode_lanes(map, rules, from, to, scratch.data());
          }) == in);
  });
}

LanesStep chain(std::uint32_t lanes) {
  LanesStep rules{std::vector<LaneRule>(lanes), 0};
  for (std::uint32_t l = 1; l < lanes; ++l) rules.lanes[l].source = static_cast<std::uint16_t>(l - 1);
  return rules;
}

}  // namespace

TEST_CASE("lanes leave one another, and come back") {
  std::mt19937 random(7);
  for (unsigned width : test::kWidths) {
    for (std::uint32_t tuple : test::kLaneTuples) {
      for (std::size_t words : test::Sizes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 33, 64, 257, 5003}) {
        check_rules(test::random_column(width, tuple, words), random_rules(tuple, 0, random));
      }
    }
  }
}

TEST_CASE("lanes start anew with every run, at its border and one word beside it") {
  std::mt19937 random(8);
  for (unsigned width : {1u, 2u, 3u, 4u, 8u}) {
    for (std::uint32_t tuple : {1u, 3u}) {
      for (std::size_t words : test::Sizes{1023, 1024, 1025, 2047, 2048, 2049}) {
        check_rules(test::random_column(width, tuple, words * tuple + 1), random_rules(tuple, 1024, random));
      }
    }
  }
}

TEST_CASE("a lane of timestamps is told by the lengths of what came before") {
  const oracle::Column column{8, 2, {100, 10, 110, 20, 130, 5, 135, 7}};
  const LanesStep rules{{{.order = 1, .source = 1, .lag = 1, .after = true}, {}}, 0};
  CHECK(oracle::lanes(column, rules).x == std::vector<std::uint64_t>{100, 10, 0, 20, 0, 5, 0, 7});
  check_rules(column, rules);
}

TEST_CASE("before and after are two things") {
  const oracle::Column column{2, 2, {5, 1, 9, 2, 20, 4}};
  const LanesStep before{{{.order = 1, .source = 1}, {}}, 0};
  const LanesStep after{{{.order = 1, .source = 1, .after = true}, {}}, 0};
  CHECK(oracle::lanes(column, before).x == std::vector<std::uint64_t>{4, 1, 3, 2, 9, 4});
  CHECK(oracle::lanes(column, after).x == std::vector<std::uint64_t>{4, 1, 2, 2, 7, 4});
}

TEST_CASE("hostile rules are refused") {
  CHECK(!chain(9).flaw(8));  // eight sources in a row
  CHECK(chain(10).flaw(8));
  LanesStep circle = chain(3);
  circle.lanes[0] = {.source = 2, .lag = 1};
  CHECK(circle.flaw(8));
  LanesStep itself = chain(2);
  itself.lanes[0] = {.source = 0, .lag = 1};
  CHECK(itself.flaw(8));
  CHECK(LanesStep{}.flaw(8));
  CHECK(LanesStep{std::vector<LaneRule>(257), 0}.flaw(8));
  CHECK(LanesStep{{{.order = 9}}, 0}.flaw(8));
  CHECK(LanesStep{{{.source = 1}}, 0}.flaw(8));
  CHECK(LanesStep{{{}, {.source = 0, .lag = 2}}, 0}.flaw(8));
  CHECK(LanesStep{{{.lag = 1}}, 0}.flaw(8));
  CHECK(LanesStep{{{.after = true}}, 0}.flaw(8));
  CHECK(LanesStep{{{}}, 512}.flaw(8));
  CHECK(LanesStep{{{}}, 1025}.flaw(8));
  CHECK(LanesStep{{{}}, 131072}.flaw(8));
  CHECK(!LanesStep{{{}}, 65536}.flaw(8));
}

TEST_CASE("words lie interleaved, or lane behind lane") {
  for (unsigned width : test::kWidths) {
    for (std::uint32_t tuple : {1u, 2u, 3u, 4u, 5u, 70u, 1000u}) {
      for (std::size_t words : test::Sizes{0, 1, 3, 7, 8, 15, 64, 65, 129, 1003, 5003}) {
        const oracle::Column column = test::random_column(width, tuple, words);
        const LaneMap map = test::map_of(column);
        const ByteVector in = test::bytes_of(column), lanes = test::lanes_of(column);
        test::for_each_target([&](const cpu::Target& target) {
          INFO(target.name, ": width ", width, ", tuple ", tuple, ", ", words, " words");
          CHECK(test::guarded(in, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
                  cpu::deinterleave(map, from, to);
                }) == lanes);
          CHECK(test::guarded(lanes, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
                  cpu::interleave(map, from, to);
                }) == in);
        });
      }
    }
  }
}

TEST_CASE("runs are counted lane by lane, and a plan names powers of two") {
  for (std::uint32_t tuple : {1u, 3u, 7u, 100u}) {
    for (std::size_t words : test::Sizes{0, 1, 6, 7, 8, 20, 21, 1000}) {
      for (std::size_t run : test::Sizes{0, 1, 3, 7, 10, 5000}) {
        const LaneMap map = LaneMap::of_width(2, tuple, words);
        std::size_t count = 0;
        for (std::size_t lane = 0; lane < map.lanes(); ++lane) count += runs_of(map.length(lane), run);
        CHECK(runs_of(map, run) == count);
      }
    }
  }
  CHECK(is_run(0));
  CHECK(is_run(1024));
  CHECK(is_run(65536));
  for (std::size_t run : test::Sizes{1, 512, 1023, 1025, 3000, 131072}) CHECK(!is_run(run));
}

TEST_CASE("differences start anew every n words of a lane") {
  for (unsigned width : {1u, 2u, 4u, 8u}) {
    for (std::uint32_t tuple : {1u, 2u, 5u, 9000u}) {
      for (std::size_t words : test::Sizes{0, 1, 1023, 1024, 1025, 5121, 20000}) {
        for (std::uint8_t order : std::initializer_list<std::uint8_t>{1, 2, 8}) {
          const oracle::Column column = test::random_column(width, tuple, words);
          const Pass pass{.word = static_cast<std::uint8_t>(width), .order = order, .tuple = tuple};
          const ByteVector in = test::bytes_of(column);
          const oracle::Column coded = oracle::difference(column, order, 1024);
          CHECK(oracle::undo_difference(coded, order, 1024).x == column.x);
          const ByteVector expected = test::bytes_of(coded);
          test::for_each_target([&](const cpu::Target& target) {
            INFO(target.name, ": width ", width, ", tuple ", tuple, ", ", words, " words, order ",
                 unsigned{order});
            CHECK(test::guarded(in, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
                    cpu::forward_anew(pass, 1024, from, to, in.size());
                  }) == expected);
            CHECK(test::guarded(expected, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
                    cpu::inverse_anew(pass, 1024, from, to, in.size());
                  }) == in);
          });
        }
      }
    }
  }
}

}  // namespace tdz
