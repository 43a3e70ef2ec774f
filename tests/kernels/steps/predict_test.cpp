// SPDX-License-Identifier: Apache-2.0
// Does the step `predict` follow its definition on every target, come back, and choose the same everywhere?
#include <random>

#include "tests/kernels/columns.hpp"

namespace tdz {
namespace {

using test::ByteVector;

Predictor random_predictor(unsigned highest, std::mt19937& random) {
  Predictor p{.order = static_cast<std::uint8_t>(random() % (highest + 1)),
              .shift = static_cast<std::uint8_t>(random() % 16)};
  for (unsigned j = 0; j < p.order; ++j) p.coefficient[j] = static_cast<std::int16_t>(random());
  return p;
}

std::vector<Predictor> random_predictors(const LaneMap& map, unsigned highest, std::mt19937& random) {
  std::vector<Predictor> predictors(predict_blocks(map));
  for (Predictor& p : predictors) p = random_predictor(highest, random);
  return predictors;
}

void check_predictors(const oracle::Column& column, Sign sign, const std::vector<Predictor>& predictors) {
  const LaneMap map = test::map_of(column);
  const oracle::Column coded = oracle::predict(column, sign, predictors);
  CHECK(oracle::undo_predict(coded, sign, predictors).x == column.x);
  const ByteVector in = test::lanes_of(column), expected = test::lanes_of(coded);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": width ", column.width, ", tuple ", column.tuple, ", ", map.words, " words, ",
         sign == Sign::is_signed ? "signed" : "unsigned");
    CHECK(test::guarded(in, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            cpu::encode_predict(map, sign, predictors, from, to);
          }) == expected);
    CHECK(test::guarded(expected, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            cpu::decode_predict(map, sign, predictors, from, to);
          }) == in);
    ByteVector in_place = expected;
    cpu::decode_predict(map, sign, predictors, in_place.data(), in_place.data());
    CHECK(in_place == in);
  });
}

}  // namespace

TEST_CASE("any coefficients come back, at every length around a block") {
  std::mt19937 random(1);
  for (unsigned width : test::kWidths) {
    for (std::size_t words :
         test::Sizes{0, 1, 2, 7, 8, 9, 31, 32, 33, 40, 100, 4095, 4096, 4097, 3 * 4096 + 17}) {
      for (Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
        const oracle::Column column = test::random_column(width, 1, words);
        check_predictors(column, sign, random_predictors(test::map_of(column), 32, random));
      }
    }
  }
}

TEST_CASE("every order runs side by side with others") {
  std::mt19937 random(2);
  for (unsigned width : {1u, 2u, 3u, 4u}) {
    for (unsigned highest : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 16u, 17u, 32u}) {
      const oracle::Column column = test::random_column(width, 3, 3 * 2 * 4096 + 3 * 333 + 1, highest + 1);
      const Sign sign = highest % 2 == 0 ? Sign::is_unsigned : Sign::is_signed;
      check_predictors(column, sign, random_predictors(test::map_of(column), highest, random));
    }
  }
}

TEST_CASE("many blocks of one lane, and lanes shorter than a block") {
  std::mt19937 random(3);
  for (unsigned width : {1u, 2u, 4u}) {
    const oracle::Column column = test::random_column(width, 1, 21 * 4096 + 5);
    check_predictors(column, Sign::is_signed, random_predictors(test::map_of(column), 12, random));
    const oracle::Column narrow = test::random_column(width, 70, 20011);
    check_predictors(narrow, Sign::is_unsigned, random_predictors(test::map_of(narrow), 16, random));
  }
}

TEST_CASE("the shift is arithmetic and sums wrap") {
  Predictor p{.order = 2, .shift = 15};
  p.coefficient[0] = p.coefficient[1] = -32768;
  for (unsigned width : test::kWidths) {
    oracle::Column column = test::random_column(width, 1, 300);
    for (std::uint64_t& x : column.x) x = ~x & test::map_of(column).mask();  // large ones
    check_predictors(column, Sign::is_signed, {p});
    check_predictors(column, Sign::is_unsigned, {p});
  }
}

TEST_CASE("every target chooses the same predictors, and they help") {
  for (unsigned width : test::kWidths) {
    for (Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
      const oracle::Column column = test::smooth_column(width, 2, 30001);
      const LaneMap map = test::map_of(column);
      const ByteVector in = test::lanes_of(column);
      std::vector<Predictor> first;
      test::for_each_target([&](const cpu::Target& target) {
        INFO(target.name, ": width ", width);
        const auto chosen = cpu::choose_predictors(map, sign, in.data(), 12);
        REQUIRE(chosen.size() == predict_blocks(map));
        if (first.empty()) first = chosen;
        CHECK(chosen == first);
      });
      check_predictors(column, sign, first);
    }
  }
}

TEST_CASE("every machine chooses the same predictors") {
  std::uint64_t fold = 0xCBF29CE484222325;  // FNV-1a over the side data of all widths
  for (unsigned width : test::kWidths) {
    const ByteVector in = test::lanes_of(test::smooth_column(width, 1, 20000));
    const LaneMap map = LaneMap::of_width(width, 1, 20000);
    for (const std::uint8_t byte :
         write_predictors(cpu::choose_predictors(map, Sign::is_signed, in.data(), 12))) {
      fold = (fold ^ byte) * 0x100000001B3;
    }
  }
  CHECK(fold == 4583844230352771559u);  // changes with the choice, never with the machine
}

TEST_CASE("the choice survives what is not smooth") {
  for (unsigned width : test::kWidths) {
    for (std::size_t words : test::Sizes{0, 1, 2, 3, 5, 20, 4096, 5000}) {
      for (std::uint64_t fill : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}}) {
        oracle::Column column = test::random_column(width, 1, words);
        if (fill != 1) {
          for (std::uint64_t& x : column.x) x = fill & test::map_of(column).mask();
        }
        const ByteVector in = test::lanes_of(column);
        for (unsigned highest : {0u, 1u, 12u, 32u}) {
          const auto chosen =
              cpu::choose_predictors(test::map_of(column), Sign::is_signed, in.data(), highest);
          check_predictors(column, Sign::is_signed, chosen);
        }
      }
    }
  }
}

TEST_CASE("predictors are written and read") {
  std::mt19937 random(4);
  std::vector<Predictor> predictors(50);
  for (Predictor& p : predictors) p = random_predictor(32, random);
  const auto side = write_predictors(predictors);
  const auto read = read_predictors(side, predictors.size());
  REQUIRE(read);
  CHECK(*read == predictors);
}

TEST_CASE("hostile predictors are refused") {
  const auto refused = [](const ByteVector& side, std::size_t blocks) {
    const auto read = read_predictors(side, blocks);
    return !read && read.error().kind == ErrorKind::corrupt;
  };
  CHECK(!refused({0, 0, 1, 15, 9, 9}, 2));
  CHECK(refused({0, 0, 1, 15, 9, 9}, 1));
  CHECK(refused({0, 0, 1, 15, 9, 9}, 3));
  CHECK(refused({0, 0, 1, 15, 9}, 2));
  CHECK(refused({0, 0, 1}, 2));
  CHECK(refused({0, 16}, 1));
  CHECK(refused({}, SIZE_MAX));
  ByteVector many(2 + 2 * 33, 0);
  many[0] = 33;
  CHECK(refused(many, 1));
  many[0] = 32;
  many.resize(2 + 2 * 32);
  CHECK(!refused(many, 1));
}

}  // namespace tdz
