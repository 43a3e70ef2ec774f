// SPDX-License-Identifier: Apache-2.0
// Does scale give back every word, on every target as the oracle has it?
#include <array>
#include <cmath>
#include <limits>

#include "kernels/cpu/scale_run.hpp"
#include "tests/kernels/scale_pairs.hpp"
#include "tests/kernels/scale_support.hpp"

namespace tdz {
namespace {

using test::ByteVector;
using test::kScalePairs;
using test::Random;
using test::Scaled;

ByteVector bits_of(const oracle::ScaleLists& lists) {
  ByteVector bits(lists.word.empty() ? 0 : bitmap_bytes(lists.hole.size()), 0);
  for (std::size_t i = 0; i < lists.hole.size(); ++i) {
    if (lists.hole[i]) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1u << (i % 8));
  }
  return bits;
}

std::vector<std::byte> random_selectors(std::size_t words, std::size_t tuple, std::size_t pairs,
                                        Random& random) {
  std::vector<std::byte> selectors;
  const std::size_t count = pairs > 1 ? selector_count(words, tuple) : 0;
  for (std::size_t i = 0; i < count; ++i) selectors.push_back(static_cast<std::byte>(random() % pairs));
  return selectors;
}

struct Case {
  ScaleShape shape;
  std::vector<ScalePair> pairs;
  std::optional<std::uint64_t> fill;
  bool unsigned_words;
  ByteVector words;
};

void check(const Case& c, Random& random) {
  const std::size_t count = c.words.size() / c.shape.word;
  const auto selectors = random_selectors(count, c.shape.tuple, c.pairs.size(), random);
  oracle::ScaleLists lists{c.pairs, {}, {}, {}};
  for (const std::byte s : selectors) lists.selector.push_back(std::to_integer<std::uint8_t>(s));
  const ByteVector expected = oracle::scale_forward(c.shape, c.unsigned_words, c.fill, lists, c.words);
  CHECK(oracle::scale_inverse(c.shape, lists, expected) == c.words);
  test::for_each_target([&](const cpu::Target& target) {
    INFO(target.name, ", words of ", int{c.shape.word}, ", kind ", int(c.shape.kind), ", tuple ",
         c.shape.tuple, ", ", c.pairs.size(), " pairs, ", count, " words");
    const Scaled scaled = test::scaled_of(c.shape, {c.pairs, selectors, c.fill, c.unsigned_words}, c.words);
    CHECK(scaled.scaled == expected);
    CHECK(scaled.bitmap == bits_of(lists));
    const auto again = test::unscaled_of(c.shape, scaled);
    CHECK(again.error == "");
    CHECK(again.words == c.words);
  });
}

Case random_case(ScaleShape shape, std::size_t count, std::size_t pairs, Random& random) {
  Case c{shape, {}, {}, random() % 2 == 0, test::mixed_words(shape, count, random)};
  for (std::size_t k = 0; k < pairs; ++k) c.pairs.push_back(kScalePairs[random() % std::size(kScalePairs)]);
  if (random() % 3 == 0 && count > 0) {
    std::uint64_t fill = 0;
    for (std::size_t b = 0; b < shape.word; ++b) fill |= std::uint64_t{c.words[b]} << (8 * b);
    c.fill = fill;
  }
  return c;
}

}  // namespace

TEST_CASE("one pair matches the oracle") {
  Random random(test::kSeed);
  for (const ScaleShape& shape : test::kShapes) {
    for (const ScalePair& pair : kScalePairs) {
      Case c = random_case(shape, 1500 + random() % 100, 1, random);
      c.pairs = {pair};
      check(c, random);
    }
  }
}

TEST_CASE("many pairs in lanes and groups match the oracle") {
  Random random(test::kSeed);
  for (ScaleShape shape : test::kShapes) {
    for (const std::uint32_t tuple : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 63u, 255u, 256u}) {
      shape.tuple = tuple;
      for (const std::size_t pairs : {0u, 2u, 16u}) {
        const std::size_t most = std::min<std::size_t>(3 * kScaleGroup * std::min(tuple, 8u), 12000);
        check(random_case(shape, most - random() % 500, pairs, random), random);
      }
    }
  }
}

TEST_CASE("quotients at and near ties of f32 match the oracle") {
  Random random(test::kSeed);
  const ScaleShape shape{4, ScaleKind::real, 1};
  for (const double den : {1024.0, 64.0, 10.0, 100.0, 24400.0, 3e5}) {
    Scaled scaled;
    for (int i = 0; i < 4000; ++i) {
      const auto x = static_cast<float>(1e9 / den / static_cast<double>(1 + random() % 4096));
      const double tie = (double{x} + double{std::nextafter(x, 1e30f)}) / 2;
      const auto q = static_cast<std::int32_t>(std::nearbyint(tie * den));
      for (unsigned b = 0; b < 4; ++b) scaled.scaled.push_back(static_cast<std::uint8_t>(q >> (8 * b)));
    }
    const ScalePair pair{1, den};
    scaled.pairs.resize(formats::kScalePairBytes);
    formats::write_scale_pairs(std::span(&pair, 1), std::as_writable_bytes(std::span(scaled.pairs)));
    const auto expected = oracle::scale_inverse(shape, {{pair}, {}, {}, {}}, scaled.scaled);
    REQUIRE(expected);
    test::for_each_target([&](const cpu::Target& target) {
      INFO(target.name, ", divided by ", den);
      CHECK(test::unscaled_of(shape, scaled).words == *expected);
    });
  }
}

TEST_CASE("quotients of f32 match the oracle, up to 2^24 and beyond") {
  Random random(test::kSeed);
  constexpr std::int32_t kMost = 1 << 24;
  for (const std::uint32_t tuple : {1u, 2u, 3u}) {
    const ScaleShape shape{4, ScaleKind::real, tuple};
    for (const double den : {1.0, 3.0, 24200.0, 1234.5, 0.5, 0.1, 16777213.0, 0x1p24, 16777217.0}) {
      Scaled scaled;
      for (int i = 0; i < 6000; ++i) {
        const int beyond = i / 64 % 8 == 0 ? 2 : 0;  // in some blocks of 64
        const std::int32_t most = i % 3 == 0 ? kMost + beyond - static_cast<int>(random() % 3)
                                             : static_cast<std::int32_t>(random() % kMost);
        const std::int32_t q = random() % 2 == 0 ? most : -most;
        for (unsigned b = 0; b < 4; ++b) scaled.scaled.push_back(static_cast<std::uint8_t>(q >> (8 * b)));
      }
      const std::vector<ScalePair> pairs{{1, den}, {1, 24400}};
      scaled.selectors.resize(selector_count(6000, tuple));
      for (std::uint8_t& s : scaled.selectors) s = static_cast<std::uint8_t>(random() % 2);
      scaled.pairs.resize(pairs.size() * formats::kScalePairBytes);
      formats::write_scale_pairs(pairs, std::as_writable_bytes(std::span(scaled.pairs)));
      const auto expected = oracle::scale_inverse(shape, {pairs, scaled.selectors, {}, {}}, scaled.scaled);
      REQUIRE(expected);
      test::for_each_target([&](const cpu::Target& target) {
        INFO(target.name, ", tuples of ", tuple, ", divided by ", den);
        CHECK(test::unscaled_of(shape, scaled).words == *expected);
      });
    }
  }
}

TEST_CASE("numbers of f32 match the oracle, near halves and where the vectors give up") {
  Random random(test::kSeed);
  constexpr float kFill = 1e34F;
  for (const std::uint32_t tuple : {1u, 2u, 3u}) {
    for (const double den : {1.0, 10.0, 24200.0, 16777213.0, 0x1p24, 0.5, 1234.5}) {
      std::vector<float> words;
      for (std::size_t i = 0; i < 6000; ++i) {
        const bool plain = i / 64 % 2 == 0;  // every other block of 64 has nothing unusual
        const double power = std::ldexp(1.0, plain ? 21 : static_cast<int>(20 + random() % 14));
        const double q = power + static_cast<double>(random() % 7) / 2 - 1.5;
        double x = (random() % 2 == 0 ? q : -q) / den;
        if (!plain && random() % 8 == 0) x = std::numeric_limits<double>::quiet_NaN();
        if (!plain && random() % 8 == 0) x = -0.0;
        words.push_back(random() % 4 == 0 ? kFill : static_cast<float>(x));
      }
      for (const bool filled : {false, true}) {
        Case c{{4, ScaleKind::real, tuple}, {{1, den}, {1, 24400}}, {}, false, test::bytes_of_words(words)};
        if (filled) c.fill = std::bit_cast<std::uint32_t>(kFill);
        check(c, random);
      }
    }
  }
}

TEST_CASE("every short length matches the oracle") {
  Random random(test::kSeed);
  for (ScaleShape shape : test::kShapes) {
    for (std::size_t count = 0; count < 140; ++count) {
      shape.tuple = static_cast<std::uint32_t>(1 + random() % 5);
      check(random_case(shape, count, random() % 3, random), random);
    }
  }
}

TEST_CASE("plain C++ matches the oracle wherever vectors run too") {
  Random random(test::kSeed);
  for (const ScaleShape& shape : test::kShapes) {
    for (const ScalePair& pair : kScalePairs) {
      Case c = random_case(shape, 333, 1, random);
      oracle::ScaleLists lists{{pair}, {}, {}, {}};
      const ByteVector expected = oracle::scale_forward(shape, c.unsigned_words, c.fill, lists, c.words);
      const cpu::ScaleRun run{shape, nullptr, 0, 333};
      cpu::LanePairs lanes;
      lanes.pairs = &pair;
      ByteVector scaled(c.words.size()), holes(bitmap_bytes(333)), again(c.words.size());
      const cpu::FillWord fill{c.fill.value_or(0), c.fill.has_value()};
      cpu::encode_plain(run, lanes, fill, c.unsigned_words, c.words.data(), scaled.data(), holes.data());
      CHECK(cpu::decode_plain(run, lanes, holes.data(), scaled.data(), again.data()) ==
            cpu::ScaleFault::none);
      for (std::size_t i = 0; i < 333; ++i) {
        const bool hole = (holes[i / 8] >> (i % 8) & 1) != 0;
        REQUIRE(hole == lists.hole[i]);
        const auto same = [&](const ByteVector& a, const ByteVector& b) {
          return std::equal(&a[i * shape.word], &a[i * shape.word] + shape.word, &b[i * shape.word]);
        };
        if (!hole) CHECK(same(scaled, expected));
        if (!hole) CHECK(same(again, c.words));
      }
    }
  }
}

TEST_CASE("a trailing part of a word stays as it is") {
  Random random(test::kSeed);
  Case c = random_case({8, ScaleKind::real, 3}, 100, 1, random);
  c.words.insert(c.words.end(), {1, 2, 3, 4, 5});
  check(c, random);
}

TEST_CASE("integers near 2^51, 2^53 and 2^63 match the oracle") {
  Random random(test::kSeed);
  for (const ScaleShape shape : {ScaleShape{8, ScaleKind::integer, 1}, ScaleShape{8, ScaleKind::real, 1}}) {
    for (const ScalePair& pair : kScalePairs) {
      std::vector<std::uint64_t> words;
      for (const unsigned power : {50u, 51u, 52u, 53u, 54u, 62u, 63u}) {
        for (int near = -6; near <= 6; ++near) {
          const std::int64_t n =
              static_cast<std::int64_t>((std::uint64_t{1} << power) + static_cast<std::uint64_t>(near));
          for (const std::int64_t m : {n, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(n))}) {
            const double number = static_cast<double>(m) * pair.num / pair.den;
            words.push_back(shape.kind == ScaleKind::real ? std::bit_cast<std::uint64_t>(number)
                                                          : static_cast<std::uint64_t>(m));
          }
        }
      }
      check({shape, {pair}, {}, false, test::bytes_of_words(words)}, random);
    }
  }
}

TEST_CASE("what scale is for: decimals have no holes, and q are the integers") {
  std::vector<float> words;
  std::vector<std::int32_t> integers;
  for (std::int32_t q = -5000; q < 5000; q += 3) {
    words.push_back(static_cast<float>(static_cast<double>(q) / 100));
    integers.push_back(q);
  }
  words[7] = -0.0f;
  integers[7] = integers[6];
  const std::vector<ScalePair> pair{{1, 100}};
  const Scaled scaled =
      test::scaled_of({4, ScaleKind::real, 1}, {pair, {}, {}, false}, test::bytes_of_words(words));
  CHECK(scaled.scaled == test::bytes_of_words(integers));
  CHECK(scaled.bitmap.size() == bitmap_bytes(words.size()));
  CHECK(scaled.hole_words.size() == 4);
}

TEST_CASE("all patterns of f32 come back" * doctest::skip(!test::full_grid())) {
  constexpr std::size_t kWords = std::size_t{1} << 20;
  constexpr ScaleShape shape{4, ScaleKind::real, 1};
  const std::vector<ScalePair> pairs{{1, 100}, {1, 24400}, {0.1, 1}};
  std::vector<std::byte> words(4 * kWords), scaled(4 * kWords), again(4 * kWords), bitmap(kWords / 8),
      memory(4 * kWords);
  for (std::uint64_t first = 0; first < std::uint64_t{1} << 32; first += kWords) {
    for (std::size_t i = 0; i < kWords; ++i) {
      for (std::size_t b = 0; b < 4; ++b) words[4 * i + b] = static_cast<std::byte>((first + i) >> (8 * b));
    }
    for (const ScalePair& pair : pairs) {
      const std::size_t holes = encode_scale(shape, {{&pair, 1}, {}, {}, false}, words, scaled, bitmap);
      const auto hole_words = std::span(memory).first(4 * holes);
      collect_holes(shape, words, bitmap, hole_words);
      ScaleSide side;
      side.pair_count = 1;
      side.storage[0] = pair;
      side.bitmap = bitmap;
      side.hole_words = hole_words;
      REQUIRE(decode_scale(shape, side, scaled, again));
      REQUIRE(again == words);
    }
  }
}

}  // namespace tdz
