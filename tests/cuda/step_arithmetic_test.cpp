// SPDX-License-Identifier: Apache-2.0
// Is the arithmetic right with which a device undoes steps? On the CPU, with the headers that the kernels are
// made of; the oracles of the steps judge.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/prediction.hpp"
#include "kernels/cuda/steps/scale_word.hpp"
#include "kernels/cuda/steps/word_maps.hpp"
#include "kernels/float_environment.hpp"
#include "tests/kernels/scale_pairs.hpp"
#include "tests/oracle/scale.hpp"
#include "tests/oracle/steps.hpp"
#include "tests/random.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda;
using test::Random;

/// The seed of all data.
constexpr std::uint64_t kSeed = 20261122;

// ---- words

TEST_CASE("a divisor divides as division does") {
  Random random(kSeed);
  for (std::uint32_t d = 1; d <= 65536; d += d < 300 ? 1 : 251) {
    const Divisor divisor(d);
    for (const std::uint32_t n : {0u, 1u, d - 1, d, d + 1, (1u << 24) - 1, (1u << 24) / d * d - 1}) {
      if (n < kMostStepWords) CHECK(divisor.quotient(n) == n / d);
    }
    for (int i = 0; i < 50; ++i) {
      const auto n = static_cast<std::uint32_t>(random() >> 40);
      CHECK(divisor.quotient(n) == n / d);
    }
  }
}

TEST_CASE("words of rows lie where the rows say") {
  const Rows dense({0, 1}, 3), also_dense({12, 4}, 3), apart({40, 3}, 5);
  CHECK(dense.place(7) == 21);
  CHECK(also_dense.dense());
  CHECK(also_dense.place(7) == 21);
  CHECK_FALSE(apart.dense());
  CHECK(apart.place(7) == 2 * 40 + 1 * 5);
}

TEST_CASE("words of every width are read and written, byte by byte and as numbers") {
  const Byte bytes[8] = {0x81, 0x92, 0xA3, 0xB4, 0xC5, 0xD6, 0xE7, 0xF8};
  CHECK(read_word<3>(bytes, false) == 0xA39281);
  CHECK(read_word<8>(bytes, true) == 0xF8E7D6C5B4A39281);
  CHECK(signed_word(0xA39281, 3) == static_cast<std::int64_t>(0xFFFFFFFFFFA39281));
  Byte out[5] = {};
  write_word<4>(out, 0x1122334455667788, false);
  CHECK(read_word<5>(out, false) == 0x0055667788);
  CHECK(mapped<3>(WordMap::byteswap, 0x112233) == 0x332211);
  CHECK(mapped<2>(WordMap::copy, 0x1122) == 0x1122);
  CHECK(mapped<1>(WordMap::undo_zigzag, 5) % 256 == 0xFD);
}

// ---- scale

TEST_CASE("a quotient without a division is the quotient") {
  const FloatEnvironment usual;
  Random random(kSeed);
  const auto any = [&](int exponents) {
    const double fraction = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
    return std::ldexp(fraction,
                      static_cast<int>(random() % static_cast<unsigned>(2 * exponents)) - exponents);
  };
  for (int i = 0; i < 3000000; ++i) {
    // Dense mantissas are the hard ones; integers and powers of ten are the usual ones.
    double den = i % 3 == 0   ? any(299)
                 : i % 3 == 1 ? std::pow(10, i % 23)
                              : static_cast<double>(1 + random() % 100000);
    if (i % 7 == 0) den = std::nextafter(std::ldexp(1, i % 100), i % 2 == 0 ? 0.0 : 1e300);
    double t = i % 2 == 0 ? static_cast<double>(static_cast<std::int64_t>(random() >> (random() % 55 + 9)))
                          : any(350);
    if (i % 5 == 0) t = -t;
    if (i % 11 == 0) t = den * static_cast<double>(random() % 1000);  // exact, or nearly
    const double quotient = divided(t, ScaleFactor::of(1, den));
    if (quotient != t / den) FAIL("another quotient of ", t, " by ", den);
  }
}

template <unsigned Width, ScaleKind Kind>
void check_words(const ScalePair& pair, Random& random) {
  const ScaleShape shape{Width, Kind, 1};
  const ScaleFactor factor = ScaleFactor::of(pair.num, pair.den);
  for (int i = 0; i < 400; ++i) {
    std::uint64_t word = random() >> random() % 64;
    if (i % 4 == 0) word = 0 - word;
    if (i % 16 < 3) word = (std::uint64_t{1} << 53) + static_cast<unsigned>(i % 16) - 1;
    if (i % 16 == 5) word = 0;
    std::vector<std::uint8_t> bytes(Width);
    write_bytes<Width>(bytes.data(), word);
    std::uint64_t got = read_bytes<Width>(bytes.data());
    const bool good = undo_scale_word<Width, Kind>(factor, got);
    const auto wanted = oracle::scale_inverse(shape, {{pair}, {}, {}, {}}, bytes);
    CAPTURE(word);
    CHECK(good == wanted.has_value());
    if (!good || !wanted) continue;
    write_bytes<Width>(bytes.data(), got);
    CHECK(bytes == *wanted);
  }
}

TEST_CASE("numbers are those of the oracle, and the same q are corrupt") {
  const FloatEnvironment usual;
  Random random(kSeed);
  for (const ScalePair& pair : test::kScalePairs) {
    CAPTURE(pair.num);
    CAPTURE(pair.den);
    check_words<1, ScaleKind::integer>(pair, random);
    check_words<2, ScaleKind::integer>(pair, random);
    check_words<3, ScaleKind::integer>(pair, random);
    check_words<4, ScaleKind::integer>(pair, random);
    check_words<5, ScaleKind::integer>(pair, random);
    check_words<7, ScaleKind::integer>(pair, random);
    check_words<8, ScaleKind::integer>(pair, random);
    check_words<4, ScaleKind::real>(pair, random);
    check_words<8, ScaleKind::real>(pair, random);
  }
}

TEST_CASE("a selector lies where the format says") {
  for (const std::uint32_t tuple : {1u, 2u, 3u, 7u, 255u, 256u}) {
    for (const std::uint32_t words : {1u, 5u, 1023u, 1024u, 1025u, 7169u, 262144u, 262145u}) {
      const SelectorMap map(words, tuple);
      CHECK(map.count() == selector_count(words, tuple));
      for (std::uint32_t i = 0; i < words; i += words < 5000 ? 1 : 97) {
        CHECK(map.place(i) == selector_place(words, tuple, i % tuple) + i / tuple / kScaleGroup);
      }
    }
  }
}

TEST_CASE("ranks count the holes before a word") {
  Random random(kSeed);
  std::vector<Byte> bitmap(33);
  for (Byte& byte : bitmap) byte = static_cast<Byte>(random() & random());
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < 8 * bitmap.size(); ++i) {
    std::uint32_t stood = 0;  // before this group
    for (std::uint32_t j = 0; j < i / 32 * 32; ++j) stood += bitmap[j / 8] >> j % 8 & 1u;
    const HoleGroup group{bitmap_group(bitmap.data(), static_cast<std::uint32_t>(bitmap.size()), i / 32),
                          stood};
    CHECK(group.is_hole(i) == ((bitmap[i / 8] >> i % 8 & 1) != 0));
    CHECK(group.rank(i) == before);
    before += group.is_hole(i) ? 1u : 0u;
  }
  CHECK(bitmap_group(bitmap.data(), 33, 8) == bitmap[32]);
}

// ---- lanes

TEST_CASE("a tile holds each word in a place of its own") {
  for (std::uint32_t lanes = 1; lanes <= 8; ++lanes) {
    std::vector<int> taken(tile_words(lanes));
    for (std::uint32_t n = 0; n < kLaneTileRows * lanes; ++n) {
      CHECK(row_of(n, lanes) == n / lanes);
      REQUIRE(tile_place(n / lanes, n % lanes, lanes) < taken.size());
      CHECK(taken[tile_place(n / lanes, n % lanes, lanes)]++ == 0);
    }
  }
}

TEST_CASE("groups and runs cover all words, and a longer chunk has no fewer of them") {
  for (const std::uint32_t tuple : {1u, 2u, 3u, 8u, 9u, 100u, 70000u}) {
    std::uint64_t most = 0;
    for (std::uint32_t words = 0; words < 5000; words += words < 300 ? 1 : 37) {
      const LaneShape shape{words, tuple};
      const LaneGroups groups(shape, 1024, 4);
      CHECK(groups.lanes * groups.groups >= shape.lanes());
      CHECK(std::uint64_t{groups.runs} * 1024 >= shape.longest());
      std::uint32_t sum = 0;
      for (std::uint32_t lane = 0; lane < shape.lanes(); ++lane) sum += shape.length(lane);
      CHECK(sum == words);
      CHECK(groups.count() >= most);
      most = groups.count();
    }
  }
}

TEST_CASE("the rules of a plan, with the depth of each lane") {
  LanesStep rules;
  rules.lanes = {{2, true, 2, 1, true}, {1, false, LaneRule::kNoSource, 0, false}, {0, false, 1, 0, false}};
  const auto all = device_rules(rules);
  CHECK(depths_of(all) == 3);
  CHECK(all[0].depth == 2);
  CHECK(all[1].depth == 0);
  CHECK(all[2].depth == 1);
  CHECK(all[0].order == 2);
  CHECK(all[0].zigzag);
  CHECK(all[0].source_before_sums);
  CHECK(all[0].lag == 1);
  CHECK(all[0].source == 2);
  CHECK_FALSE(all[1].has_source());
}

TEST_CASE("sums of a thread's words") {
  std::uint32_t words[kLaneThreadWords] = {1, 2, 3, 4, 5, 6, 7, 0xFFFFFFFF};
  CHECK(sum_up(words) == 27);
  CHECK(words[6] == 28);
  CHECK(words[7] == 27);
}

// ---- predict

template <unsigned Width, unsigned Terms>
void check_predict(Sign sign, std::uint32_t tuple, std::uint32_t words, unsigned order, Random& random) {
  oracle::Column column{Width, tuple, std::vector<std::uint64_t>(words)};
  for (std::uint64_t& x : column.x) x = random() >> (64 - 8 * Width) >> random() % (8 * Width);
  const PredictBlocks blocks{{words, tuple}};
  std::vector<Predictor> predictors(predict_blocks(LaneMap::of_width(Width, tuple, words)));
  REQUIRE(blocks.count() == predictors.size());
  for (Predictor& p : predictors) {
    p.order = static_cast<std::uint8_t>(random() % (order + 1));
    p.shift = static_cast<std::uint8_t>(random() % 16);
    for (unsigned j = 0; j < p.order; ++j) p.coefficient[j] = static_cast<std::int16_t>(random());
  }
  const auto side = write_predictors(predictors);
  const auto wanted = oracle::undo_predict(column, sign, predictors);
  std::size_t at = 2 * predictors.size();
  std::uint32_t lane = 0;
  for (std::uint32_t b = 0; b < blocks.count(); ++b) {
    while (lane + 1 < tuple && b >= blocks.before(lane + 1)) ++lane;
    const std::uint32_t row = (b - blocks.before(lane)) * kPredictRows;
    BlockWalk<Width, Terms> walk(side[2 * b], side[2 * b + 1], sign, side.data() + at);
    at += std::size_t{2} * predictors[b].order;
    for (std::uint32_t i = 0; i < kPredictRows && row + i < blocks.shape.length(lane); ++i) {
      std::uint64_t& x = column.x[std::size_t{row + i} * tuple + lane];
      x = walk.step(i, x) << (64 - 8 * Width) >> (64 - 8 * Width);
    }
  }
  CAPTURE(Width);
  CAPTURE(Terms);
  CAPTURE(tuple);
  CAPTURE(words);
  CHECK(column.x == wanted.x);
}

template <unsigned Width>
void check_predict_width(Random& random) {
  for (const Sign sign : {Sign::is_unsigned, Sign::is_signed}) {
    check_predict<Width, 8>(sign, 1, 9000, 8, random);
    check_predict<Width, 8>(sign, 3, 20, 8, random);
    check_predict<Width, 32>(sign, 2, 8197, 32, random);
    check_predict<Width, 32>(sign, 5, 3, 32, random);
    check_predict<Width, 32>(sign, 2, 4096 * 2 + 1, 32, random);
  }
}

TEST_CASE("predictions are undone as the oracle does it") {
  Random random(kSeed);
  check_predict_width<1>(random);
  check_predict_width<2>(random);
  check_predict_width<3>(random);
  check_predict_width<4>(random);
  check_predict_width<5>(random);
  check_predict_width<6>(random);
  check_predict_width<7>(random);
  check_predict_width<8>(random);
}

}  // namespace
