// SPDX-License-Identifier: Apache-2.0
// Does detection find the step that numbers are multiples of, and nothing where there is none?
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "codec/search/recipe_changes.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/steps/scale/detect_scale.hpp"
#include "kernels/steps/scale/fit_scale.hpp"
#include "kernels/steps/scale/lattice.hpp"

using namespace tdz;

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kCount = 60000;
constexpr ScaleShape kFloat{4, ScaleKind::real, 1};
constexpr ScaleShape kDouble{8, ScaleKind::real, 1};
constexpr ScaleShape kShort{2, ScaleKind::integer, 1};
constexpr ScaleShape kInt{4, ScaleKind::integer, 1};

template <class T>
Bytes bytes_of(const std::vector<T>& words) {
  Bytes bytes(words.size() * sizeof(T));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                   bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(T)));
    }
  }
  return bytes;
}

/// A random walk of integers.
std::vector<std::int64_t> walk(std::int64_t start, int step, std::size_t count = kCount, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> q;
  for (std::size_t i = 0; i < count; ++i) {
    start += static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * step + 1)) - step;
    q.push_back(start);
  }
  return q;
}

template <class T>
Bytes made(const std::vector<std::int64_t>& integers, const std::function<T(std::int64_t)>& make) {
  std::vector<T> words;
  for (const std::int64_t q : integers) words.push_back(make(q));
  return bytes_of(words);
}

/// Eight pieces, as the search takes them.
Pieces pieces_of(const Bytes& bytes, const ScaleShape& shape) {
  const std::size_t row = std::size_t{shape.word} * shape.tuple,
                    length = std::min(bytes.size() / row, std::size_t{512}) * row;
  Pieces pieces;
  for (std::size_t p = 0; p < 8; ++p) {
    pieces.push_back(std::span(bytes).subspan((bytes.size() - length) / 7 * p / row * row, length));
  }
  return pieces;
}

ScalePlan plan_of(const Bytes& bytes, const ScaleShape& shape) {
  const auto estimates = detect_scale(shape, pieces_of(bytes, shape));
  return estimates.empty() ? ScalePlan{} : estimates.front().plan;
}

/// The number of holes that a chunk has under a plan; it must come back.
std::size_t holes_of(const Bytes& chunk, const ScaleShape& shape, const ScalePlan& plan) {
  const std::size_t words = chunk.size() / shape.word;
  const ScaleFit fit = fit_scale(shape, plan, chunk);
  Bytes scaled(chunk.size()), bitmap(bitmap_bytes(words)), again(chunk.size());
  const std::size_t holes = encode_scale(shape, fit.choice(), chunk, scaled, bitmap);
  Bytes hole_words(holes * shape.word), pairs(fit.pairs.size() * formats::kScalePairBytes);
  collect_holes(shape, chunk, bitmap, hole_words);
  formats::write_scale_pairs(fit.pairs, pairs);
  const auto side = formats::read_scale_side(shape, words, {pairs, fit.selectors, bitmap, hole_words});
  REQUIRE(side);
  REQUIRE(decode_scale(shape, *side, scaled, again));
  CHECK(again == chunk);
  return holes;
}

/// The step of the first pair, and that it leaves no holes.
void check_step(const Bytes& bytes, const ScaleShape& shape, double step) {
  const ScalePlan plan = plan_of(bytes, shape);
  REQUIRE_FALSE(plan.pairs.empty());
  CHECK(std::fabs(plan.pairs.front().num / plan.pairs.front().den / step - 1) < 1e-6);
  CHECK(holes_of(bytes, shape, plan) == 0);
}

}  // namespace

TEST_CASE("decimals are found, computed one way or the other") {
  const auto q = walk(12345, 8);
  check_step(made<double>(q, [](auto x) { return static_cast<double>(x) / 100; }), kDouble, 0.01);
  check_step(made<double>(q, [](auto x) { return static_cast<double>(x) * 0.01; }), kDouble, 0.01);
  check_step(made<double>(q, [](auto x) { return static_cast<double>(x) / 1e7; }), kDouble, 1e-7);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(static_cast<double>(x) / 100); }), kFloat,
             0.01);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(static_cast<double>(x) * 0.1); }), kFloat,
             0.1);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(x) * 0.1f; }), kFloat, 0.1);
}

TEST_CASE("steps that are no decimals are found") {
  const auto q = walk(-3000, 20);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(static_cast<double>(x) / 24400); }),
             kFloat, 1. / 24400);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(static_cast<double>(x) * 3.3 / 4095); }),
             kFloat, 3.3 / 4095);
  check_step(made<double>(q, [](auto x) { return static_cast<double>(x) * (2 * 3.14159265358979 / 4096); }),
             kDouble, 2 * 3.14159265358979 / 4096);
  check_step(made<float>(q, [](auto x) { return static_cast<float>(x) / 32768; }), kFloat, 1. / 32768);
}

TEST_CASE("integers that were rounded from another scale are found") {
  const auto micro_degrees = [](std::int64_t q) {
    return static_cast<std::int32_t>(std::lround(static_cast<double>(q) * 200000 / 13107));
  };
  check_step(made<std::int32_t>(walk(23000000, 9), micro_degrees), kInt, 200000. / 13107);
  const Bytes bytes = made<std::int32_t>(walk(20000, 300), micro_degrees);
  check_step(bytes, kInt, 200000. / 13107);
  CHECK(plan_of(bytes, kInt).pairs.front() == ScalePair{200000, 13107});
  check_step(made<std::int32_t>(walk(500, 50), [](auto x) { return static_cast<std::int32_t>(10 * x); }),
             kInt, 10);
  check_step(
      made<std::int16_t>(walk(900, 9), [](auto x) { return static_cast<std::int16_t>(4 * (x & 4095)); }),
      kShort, 4);
}

TEST_CASE("numbers that a subtraction left in fixed point are found") {
  const auto subtracted = [](std::int64_t q) {
    return static_cast<float>(static_cast<double>(q) / 1000 + 10) - 10.0f;
  };
  const Bytes bytes = made<float>(walk(0, 3), subtracted);
  const ScalePlan plan = plan_of(bytes, kFloat);
  REQUIRE_FALSE(plan.pairs.empty());
  CHECK(plan.pairs.front() == ScalePair{1, 0x1p20});
  const auto alone = detect_scale(kFloat, {std::span(bytes).first(2048)});
  REQUIRE_FALSE(alone.empty());
  CHECK(alone.front().plan.pairs == std::vector{ScalePair{1, 0x1p20}});
  CHECK(holes_of(bytes, kFloat, plan) <
        kCount / 100);  // zero is frequent, and may be taken for a missing number
}

TEST_CASE("a few words that do not fit become holes") {
  std::size_t i = 0, odd = 0;
  const Bytes bytes = made<std::int32_t>(walk(500, 50), [&](auto x) {
    const bool outlier = ++i % 97 == 0;
    odd += outlier;
    return static_cast<std::int32_t>(10 * x + (outlier ? 3 : 0));
  });
  const ScalePlan plan = plan_of(bytes, kInt);
  REQUIRE_FALSE(plan.pairs.empty());
  CHECK(holes_of(bytes, kInt, plan) == odd);
}

TEST_CASE("numbers that are missing are a fill") {
  std::size_t i = 0;
  const auto gap = [&] { return ++i % 1000 < 200; };
  const Bytes sensor = made<float>(walk(2000, 3), [&](auto x) {
    return gap() ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(static_cast<double>(x) / 100);
  });
  const ScalePlan plan = plan_of(sensor, kFloat);
  CHECK(plan.fill == std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()));
  CHECK(plan.pairs == std::vector<ScalePair>{{1, 100}});
  const Bytes grid = made<std::int16_t>(
      walk(0, 5), [&](auto x) { return gap() ? std::int16_t{-9999} : static_cast<std::int16_t>(x); });
  const ScalePlan masked = plan_of(grid, kShort);
  CHECK(masked.fill == 0xD8F1);
  CHECK(masked.pairs.empty());
  CHECK(holes_of(grid, kShort, masked) == kCount / 5);
}

TEST_CASE("each lane has the coarsest step that serves it") {
  const auto a = walk(5234, 30), b = walk(-1345, 30, kCount, 2), c = walk(1000, 4, kCount, 3);
  std::vector<float> words;
  for (std::size_t i = 0; i < kCount; ++i) {
    for (const auto& [q, den] : {std::pair(a[i], 10), std::pair(b[i], 100), std::pair(c[i], 24)}) {
      words.push_back(static_cast<float>(static_cast<double>(q) / den));
    }
  }
  const Bytes bytes = bytes_of(words);
  const ScaleShape shape{4, ScaleKind::real, 3};
  const ScalePlan plan = plan_of(bytes, shape);
  CHECK(plan.pairs.size() == 3);
  const ScaleFit fit = fit_scale(shape, plan, bytes);
  const auto pair_of_lane = [&](std::size_t lane) {
    return fit.pairs[std::to_integer<std::size_t>(fit.selectors[selector_place(words.size(), 3, lane)])];
  };
  CHECK(pair_of_lane(0) == ScalePair{1, 10});
  CHECK(pair_of_lane(1) == ScalePair{1, 100});
  CHECK(pair_of_lane(2) == ScalePair{1, 24});
  CHECK(holes_of(bytes, shape, plan) == 0);
}

TEST_CASE("a chunk whose step no sample showed is asked itself") {
  const Bytes bytes =
      made<float>(walk(-3000, 20), [](auto x) { return static_cast<float>(static_cast<double>(x) / 254); });
  const ScalePlan plan{{{1, 100}}, {}, false};
  CHECK(holes_of(bytes, kFloat, plan) == 0);
  const ScaleFit fit = fit_scale(kFloat, plan, bytes);
  CHECK(fit.pairs == std::vector<ScalePair>{{1, 254}});
}

TEST_CASE("a fit is known by the words, not by their place, and by the plan") {
  const auto tenths = [](auto x) { return static_cast<float>(static_cast<double>(x) / 10); };
  const auto parts = [](auto x) { return static_cast<float>(static_cast<double>(x) / 254); };
  const Bytes first = made<float>(walk(-3000, 20), tenths), second = made<float>(walk(-3000, 20), parts);
  const ScalePlan plan{{{1, 10}}, {}, false}, other{{{1, 100}}, {}, false};
  KnownFits known;
  Bytes place = first;
  CHECK(known.fit(kFloat, plan, place).pairs == std::vector<ScalePair>{{1, 10}});
  std::ranges::copy(second, place.begin());
  CHECK(known.fit(kFloat, plan, place).pairs == std::vector<ScalePair>{{1, 254}});
  CHECK(known.fit(kFloat, plan, first).pairs == std::vector<ScalePair>{{1, 10}});
  CHECK(known.fit(kFloat, other, first).pairs == std::vector<ScalePair>{{1, 100}});
}

TEST_CASE("numbers are sorted as comparisons sort them, equal ones in their order") {
  std::mt19937_64 random(3);
  std::vector<std::pair<double, int>> items;
  for (int i = 0; i < 2000; ++i) {
    const auto n = static_cast<std::int64_t>(random() % 400) - 200;
    items.emplace_back(std::ldexp(static_cast<double>(n), static_cast<int>(random() % 3) * 100), i);
  }
  auto expected = items;
  std::ranges::stable_sort(expected, {}, &std::pair<double, int>::first);
  sort_by_number(items, [](const auto& item) { return item.first; });
  CHECK(items == expected);
}

TEST_CASE("steps that change within the input are all found") {
  std::size_t i = 0;
  const Bytes bytes = made<float>(walk(-3000, 20), [&](auto x) {
    const double den = i++ / 10000 % 2 == 0 ? 24400 : 24200;
    return static_cast<float>(static_cast<double>(x) / den);
  });
  const ScalePlan plan = plan_of(bytes, kFloat);
  CHECK(plan.pairs.size() == 2);
  CHECK(holes_of(bytes, kFloat, plan) < kCount / 20);
}

TEST_CASE("nothing is found where there is nothing") {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> uniform, bell;
  std::vector<std::uint64_t> bits;
  std::vector<float> narrow;
  std::vector<std::int16_t> shorts;
  for (std::size_t i = 0; i < kCount; ++i) {
    uniform.push_back(std::uniform_real_distribution<double>()(random));
    bell.push_back(normal(random));
    bits.push_back(random());
    narrow.push_back(static_cast<float>(std::sin(static_cast<double>(i) / 1000) + 0.1 * normal(random)));
    shorts.push_back(static_cast<std::int16_t>(1000 * normal(random)));
  }
  CHECK(plan_of(bytes_of(uniform), kDouble) == ScalePlan{});
  CHECK(plan_of(bytes_of(bell), kDouble) == ScalePlan{});
  CHECK(plan_of(bytes_of(bits), kDouble) == ScalePlan{});
  CHECK(plan_of(bytes_of(bits), {8, ScaleKind::integer, 1}) == ScalePlan{});
  CHECK(plan_of(bytes_of(narrow), kFloat) == ScalePlan{});
  CHECK(plan_of(bytes_of(shorts), kShort) == ScalePlan{});
}

TEST_CASE("samples of any kind and length are taken without complaint") {
  std::vector<double> odd(700, std::numeric_limits<double>::quiet_NaN());
  const double kinds[] = {
      std::numeric_limits<double>::infinity(), -0.0, 5e-324, 1.7e308, -1.7e308, 1e-310, 0.1};
  for (std::size_t i = 0; i < odd.size(); ++i) odd[i] = i % 3 == 0 ? odd[i] : kinds[i % 7];
  const Bytes bytes = bytes_of(odd);
  for (const ScaleShape shape : {kFloat, kDouble, kShort, kInt, ScaleShape{8, ScaleKind::integer, 1},
                                 ScaleShape{1, ScaleKind::integer, 3}, ScaleShape{3, ScaleKind::integer, 2},
                                 ScaleShape{4, ScaleKind::real, 256}}) {
    for (const std::size_t length : {0u, 1u, 7u, 8u, 64u, 1000u, 5600u}) {
      const auto part = std::span(bytes).first(length);
      for (const ScaleEstimate& e : detect_scale(shape, {part, part})) {
        holes_of({part.begin(), part.end()}, shape, e.plan);
      }
    }
  }
  CHECK(detect_scale(kFloat, {}).empty());
}

TEST_CASE("pairs that one piece finds serve another, which looks too often in vain") {
  const auto in_steps_of = [](double den) {
    return made<float>(walk(-3000, 20, 16384),
                       [=](auto x) { return static_cast<float>(static_cast<double>(x) / den); });
  };
  std::mt19937 random(3);
  std::vector<std::uint32_t> noise(4 * kScaleGroup);
  for (auto& word : noise) word = static_cast<std::uint32_t>(random());
  Bytes in_vain = bytes_of(noise);
  const Bytes usual = in_steps_of(24400), other = in_steps_of(48400);
  in_vain.insert(in_vain.end(), other.begin(), other.end());
  ColumnHints hints;
  hints.scale = ScalePlan{{{1, 24400}}, {}, false};
  const Recipe recipe{
      {Coding::zstd, {{4, 1, {ScaleStep{1, ScaleKind::real}, TokensStep{1, {4, 2}, 0}}}}}, {hints}, {}};
  Trial trial(3);
  for (const bool finds : {false, true}) {
    const auto found = with_found_pairs(recipe, {usual, finds ? other : usual, in_vain}, trial);
    REQUIRE(found);
    CHECK(found->hints.front().scale->pairs.size() == (finds ? 2 : 1));
    CHECK(found->plan == recipe.plan);
  }
}

TEST_CASE("detection is the same on every target") {
  const auto q = walk(-3000, 20);
  const Bytes bytes =
      made<float>(q, [](auto x) { return static_cast<float>(static_cast<double>(x) * 3.3 / 4095); });
  const ScalePlan expected = plan_of(bytes, kFloat);
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    CHECK(plan_of(bytes, kFloat).pairs == expected.pairs);
  }
  cpu::unforce_target();
}

TEST_CASE("the simplest fraction of a range") {
  const auto simplest = [](double low, double high) {
    return simplest_fraction({low, high}).value_or(ScalePair{0, 0});
  };
  CHECK(simplest(0.00999, 0.010001) == ScalePair{1, 100});
  CHECK(simplest(3.1415, 3.1416) == ScalePair{333, 106});
  CHECK(simplest(15.25902189, 15.2590219) == ScalePair{200000, 13107});
  CHECK(simplest(7, 7) == ScalePair{7, 1});
  CHECK(simplest(0.5, 0.5) == ScalePair{1, 2});
  CHECK(simplest(2.5, 10.5) == ScalePair{3, 1});
}
