// SPDX-License-Identifier: Apache-2.0
// Does the step `grid` follow its definition on every target, come back, and choose the same everywhere?
#include <random>

#include "kernels/cpu/steps/grid/grid.hpp"
#include "kernels/cpu/steps/grid/grid_walk.hpp"
#include "tests/kernels/columns.hpp"
#include "tests/oracle/grid.hpp"

namespace tdz {
namespace {

using test::ByteVector;

constexpr std::uint32_t kAllOfPicture = 0xFF, kAllOfColours = 0x3FFF, kAllOfVolume = 0xFFC09F;

oracle::GridChoice random_choice(const oracle::Column& column, const GridStep& step, std::size_t predictors,
                                 int size, std::mt19937& random) {
  oracle::GridChoice choice;
  choice.predictors.resize(predictors);
  for (auto& p : choice.predictors) {
    for (unsigned j = 0; j < neighbour_count(step); ++j)
      p.push_back(static_cast<std::int16_t>(static_cast<std::int16_t>(random()) / size));
  }
  choice.choices.resize(oracle::grid_blocks(column, step));
  for (auto& c : choice.choices) c = static_cast<std::uint8_t>(random() % predictors);
  return choice;
}

cpu::GridSide side_of(const oracle::GridChoice& choice) {
  cpu::GridSide side{choice.choices, {}};
  for (const auto& p : choice.predictors) {
    side.predictors.emplace_back();
    std::copy(p.begin(), p.end(), side.predictors.back().coefficient.begin());
  }
  return side;
}

/// Encodes with side data that choose_grid() did not choose.
void encode_with(const GridStep& step, const LaneMap& map, const cpu::GridSide& side,
                 const std::uint8_t* words, std::uint8_t* residuals, std::span<std::uint8_t> scratch) {
  if (!scratch.empty()) {
    cpu::GridWalk walk(step, map, scratch);
    walk.begin(words, nullptr, nullptr);
    cpu::fill_grid(cpu::run_of(walk, {}));
  }
  cpu::encode_grid(step, map, side, words, residuals, scratch);
}

void check_grid(const oracle::Column& column, const GridStep& step, const oracle::GridChoice& choice) {
  REQUIRE_FALSE(step.flaw(column.width));
  const LaneMap map = test::map_of(column);
  const oracle::Column coded = oracle::grid(column, step, choice);
  REQUIRE(oracle::undo_grid(coded, step, choice).x == column.x);
  const ByteVector in = test::lanes_of(column), expected = test::lanes_of(coded);
  const cpu::GridSide side = side_of(choice);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ": width ", column.width, ", ", step.name(), ", neighbours ", step.neighbours, ", ",
         map.words, " words, ", step.sign == Sign::is_signed ? "signed" : "unsigned");
    std::vector<std::uint8_t> scratch(cpu::grid_scratch_bytes(step, map), 0xA5);
    CHECK(test::guarded(in, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            encode_with(step, map, side, from, to, scratch);
          }) == expected);
    std::ranges::fill(scratch, std::uint8_t{0x5A});
    CHECK(test::guarded(expected, in.size(), [&](const std::uint8_t* from, std::uint8_t* to) {
            cpu::decode_grid(step, map, side.choices, side.predictors, from, to, scratch);
          }) == in);
  });
}

}  // namespace

TEST_CASE("grid: any coefficients come back, in lines of every length around a block") {
  std::mt19937 random(1);
  for (const unsigned width : test::kWidths) {
    for (const std::uint32_t line : {16u, 17u, 18u, 31u, 32u, 47u, 64u, 65u, 127u, 128u, 129u, 150u}) {
      for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
        const GridStep step{1, sign, line, 0, kAllOfPicture};
        const oracle::Column column = test::random_column(width, 1, 11 * line + 5, line);
        check_grid(column, step, random_choice(column, step, 7, 1, random));
      }
    }
  }
}

TEST_CASE("grid: slices of every height, and the last one may have fewer lines") {
  std::mt19937 random(2);
  for (const unsigned width : {1u, 2u, 3u, 4u, 8u}) {
    for (const std::uint32_t height : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 17u, 40u}) {
      const GridStep step{1, height % 2 == 0 ? Sign::is_unsigned : Sign::is_signed, 37, height, kAllOfVolume};
      const oracle::Column column = test::random_column(width, 1, 37 * 29 + 36, height + 9);
      check_grid(column, step, random_choice(column, step, 256, 1, random));
    }
  }
}

TEST_CASE("grid: lanes see the lanes before them") {
  std::mt19937 random(3);
  for (const unsigned width : {1u, 2u, 4u, 5u}) {
    for (const std::uint32_t tuple : {2u, 3u, 4u, 16u}) {
      for (const std::uint32_t line : {16u, 50u, 130u}) {
        const GridStep step{tuple, tuple % 2 == 0 ? Sign::is_signed : Sign::is_unsigned, line, 4,
                            kAllOfColours};
        const oracle::Column column = test::random_column(width, tuple, tuple * line * 9 + tuple - 1, tuple);
        check_grid(column, step, random_choice(column, step, 5, 1, random));
      }
    }
  }
}

TEST_CASE("grid: slices of lanes, in lines of which few or many run side by side") {
  std::mt19937 random(6);
  for (const unsigned width : {1u, 2u, 4u}) {
    for (const std::uint32_t tuple : {1u, 2u, 3u}) {
      for (const std::uint32_t line : {33u, 100u, 170u, 520u}) {
        for (const std::uint32_t height : {5u, 9u, 14u}) {
          const GridStep step{tuple, height % 2 == 0 ? Sign::is_signed : Sign::is_unsigned, line, height,
                              0xFFC09F};
          const oracle::Column column =
              test::random_column(width, tuple, tuple * line * 31 + 1, line + height);
          check_grid(column, step, random_choice(column, step, 9, 1, random));
        }
      }
    }
  }
}

TEST_CASE("grid: each neighbour alone") {
  std::mt19937 random(4);
  for (unsigned b = 0; b < kGridNeighbours.size(); ++b) {
    for (const unsigned width : {1u, 2u, 8u}) {
      const GridStep step{2, Sign::is_signed, 35, 5, std::uint32_t{1} << b};
      const oracle::Column column = test::random_column(width, 2, 2 * 35 * 23, b);
      check_grid(column, step, random_choice(column, step, 3, 2, random));
    }
  }
}

TEST_CASE("grid: fewer words than a line stay as they are") {
  const GridStep step{3, Sign::is_unsigned, 20, 0, kAllOfColours};
  for (const std::size_t words : test::Sizes{0, 1, 2, 3, 59}) {
    const oracle::Column column = test::random_column(2, 3, words);
    CHECK(oracle::grid(column, step, {}).x == column.x);
    check_grid(column, step, {});
  }
}

TEST_CASE("grid: every target chooses the same, and it helps") {
  for (const unsigned width : test::kWidths) {
    for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
      const GridStep step{2, sign, 75, 12, 0x3FFF};
      const oracle::Column column = test::smooth_column(width, 2, 2 * 75 * 61 + 3);
      const LaneMap map = test::map_of(column);
      const ByteVector in = test::lanes_of(column);
      cpu::GridSide first;
      test::for_each_target([&](const cpu::Target& target) {
        INFO(target.name, ": width ", width);
        std::vector<std::uint8_t> scratch(cpu::grid_scratch_bytes(step, map));
        const cpu::GridSide side = cpu::choose_grid(step, map, in.data(), scratch);
        REQUIRE(side.choices.size() == GridShape::of(step, map.words).blocks());
        if (first.choices.empty()) first = side;
        CHECK(side.choices == first.choices);
        CHECK(side.predictors == first.predictors);
        ByteVector at_once(in.size()), later(in.size());
        cpu::encode_grid(step, map, side, in.data(), at_once.data(), scratch);
        encode_with(step, map, side, in.data(), later.data(), scratch);
        CHECK(at_once == later);
      });
      oracle::GridChoice choice{first.choices, {}};
      for (const GridPredictor& p : first.predictors)
        choice.predictors.emplace_back(p.coefficient.begin(), p.coefficient.begin() + neighbour_count(step));
      check_grid(column, step, choice);
    }
  }
}

TEST_CASE("grid: every target chooses the same of the largest and the smallest words") {
  for (const unsigned width : test::kWidths) {
    for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
      const GridStep step{1, sign, 48, 0, 0x3FFF & ~0x3F00u};
      oracle::Column column = test::smooth_column(width, 1, 48 * 64);
      const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * width), half = all / 2;
      std::mt19937_64 random(width);
      for (auto& x : column.x) {
        const std::uint64_t ends[] = {0, all, half, half + 1, random() & all};
        x = ends[random() % 2 == 0 ? 0 : random() % 5];
      }
      const LaneMap map = test::map_of(column);
      const ByteVector in = test::lanes_of(column);
      cpu::GridSide first;
      test::for_each_target([&](const cpu::Target& target) {
        INFO(target.name, ": width ", width);
        std::vector<std::uint8_t> scratch(cpu::grid_scratch_bytes(step, map));
        const cpu::GridSide side = cpu::choose_grid(step, map, in.data(), scratch);
        if (first.choices.empty()) first = side;
        CHECK(side.choices == first.choices);
        CHECK(side.predictors == first.predictors);
      });
    }
  }
}

TEST_CASE("grid: every machine chooses the same") {
  std::uint64_t fold = 0xCBF29CE484222325;  // FNV-1a over the side data of all widths
  const auto add = [&](std::span<const std::uint8_t> bytes) {
    for (const std::uint8_t byte : bytes) fold = (fold ^ byte) * 0x100000001B3;
  };
  for (const unsigned width : test::kWidths) {
    const GridStep step{1, Sign::is_signed, 100, 25, kAllOfVolume};
    const ByteVector in = test::lanes_of(test::smooth_column(width, 1, 20000));
    const LaneMap map = LaneMap::of_width(width, 1, 20000);
    std::vector<std::uint8_t> scratch(cpu::grid_scratch_bytes(step, map));
    const cpu::GridSide side = cpu::choose_grid(step, map, in.data(), scratch);
    add(side.choices);
    add(write_grid_predictors(step, side.predictors));
  }
  CHECK(fold == 18129002919548088291u);  // changes with the choice, never with the machine
}

TEST_CASE("grid: the choice survives what is not smooth") {
  for (const unsigned width : test::kWidths) {
    for (const std::size_t words : test::Sizes{16, 31, 100, 5000}) {
      for (const std::uint64_t fill : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1}}) {
        const GridStep step{1, Sign::is_unsigned, 16, 3, kAllOfVolume};
        oracle::Column column = test::random_column(width, 1, words);
        if (fill != 1)
          for (std::uint64_t& x : column.x) x = fill & test::map_of(column).mask();
        const LaneMap map = test::map_of(column);
        const ByteVector in = test::lanes_of(column);
        std::vector<std::uint8_t> scratch(cpu::grid_scratch_bytes(step, map));
        const cpu::GridSide side = cpu::choose_grid(step, map, in.data(), scratch);
        REQUIRE(side.choices.size() == GridShape::of(step, map.words).blocks());
        for (const std::uint8_t c : side.choices) CHECK(c < side.predictors.size());
      }
    }
  }
}

TEST_CASE("grid: predictors are written and read") {
  const GridStep step{1, Sign::is_signed, 16, 0, 0x0F};
  std::vector<GridPredictor> predictors(3);
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t j = 0; j < 4; ++j)
      predictors[p].coefficient[j] = static_cast<std::int16_t>(1000 * p - 300 * j - 7);
  const auto side = write_grid_predictors(step, predictors);
  CHECK(side.size() == 24);
  const std::vector<std::uint8_t> choices{0, 2, 1};
  const auto read = read_grid_predictors(step, choices, side);
  REQUIRE(read);
  CHECK(*read == predictors);

  const auto refused = [&](std::span<const std::uint8_t> chosen, std::span<const std::uint8_t> bytes) {
    const auto got = read_grid_predictors(step, chosen, bytes);
    return !got && got.error().kind == ErrorKind::corrupt;
  };
  CHECK(refused(choices, std::span(side).first(16)));  // predictor 2 is not there
  CHECK(refused(choices, std::span(side).first(23)));
  CHECK(refused(choices, {}));
  CHECK(refused({}, std::vector<std::uint8_t>(257 * 8)));
  CHECK_FALSE(refused({}, {}));
}

}  // namespace tdz
