// SPDX-License-Identifier: Apache-2.0
// Is side data that contradicts itself, and every q that gives no number, called corrupt?
#include <array>
#include <limits>

#include "tests/kernels/scale_support.hpp"

namespace tdz {
namespace {

using test::ByteVector;
using test::Scaled;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Scaled one_pair(ScalePair pair, const ByteVector& scaled) {
  Scaled chunk;
  chunk.scaled = scaled;
  chunk.pairs.resize(formats::kScalePairBytes);
  formats::write_scale_pairs({&pair, 1}, std::as_writable_bytes(std::span(chunk.pairs)));
  return chunk;
}

/// The error on every target, which must be the same.
std::string error_of(const ScaleShape& shape, const Scaled& chunk) {
  std::optional<std::string> error;
  test::for_each_target([&](const cpu::Target&) {
    const std::string here = test::unscaled_of(shape, chunk).error;
    if (error) CHECK(here == *error);
    error = here;
  });
  return error.value_or("no target");
}

/// A q among harmless ones, so that vectors must see it wherever it stands.
template <class Q>
std::string error_of_q(const ScaleShape& shape, ScalePair pair, Q q) {
  std::vector<Q> words(200, 0);
  words[133] = q;
  return error_of(shape, one_pair(pair, test::bytes_of_words(words)));
}

constexpr ScaleShape kFloat{4, ScaleKind::real, 1};
constexpr ScaleShape kDouble{8, ScaleKind::real, 1};
constexpr ScaleShape kInt{4, ScaleKind::integer, 1};
constexpr ScaleShape kLong{8, ScaleKind::integer, 1};

}  // namespace

TEST_CASE("a pair outside of 2^-300 .. 2^300 is corrupt") {
  const ByteVector words(40, 0);
  for (const double bad :
       {0.0, -0.0, -1.0, 0x1.fffffffffffffp-301, 0x1.0000000000001p300, kNan, kInfinity, -kInfinity}) {
    CHECK(error_of(kFloat, one_pair({bad, 1}, words)) != "");
    CHECK(error_of(kFloat, one_pair({1, bad}, words)) != "");
  }
  CHECK(error_of(kFloat, one_pair({0x1p-300, 0x1p300}, words)) == "");
  CHECK(error_of(kFloat, one_pair({0x1p300, 0x1p-300}, words)) == "");
}

TEST_CASE("q beyond 2^53 is corrupt") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 53;
  for (const ScaleShape& shape : {kDouble, kLong}) {
    for (const std::int64_t q : {kLimit, -kLimit}) CHECK(error_of_q(shape, {1, 1}, q) == "");
    for (const std::int64_t q : {kLimit + 1, -kLimit - 1, std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int64_t>::max()}) {
      CHECK(error_of_q(shape, {1, 1}, q) == "scale: an integer is beyond 2^53");
    }
  }
}

TEST_CASE("f32 that overflows is corrupt") {
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p100, 1}, 1 << 27) == "");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p100, 1}, 1 << 28) == "scale: a number is too large");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p100, 1}, -(1 << 28)) == "scale: a number is too large");
  // (2^25 - 1) * 2^103 lies half way between the largest f32 and 2^128: to even, which is infinity.
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p103, 1}, (1 << 25) - 1) == "scale: a number is too large");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p103, 1}, (1 << 25) - 2) == "");
}

TEST_CASE("f32 below 2^-126 is corrupt, 0 is not") {
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p-126, 1}, 1) == "");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p-127, 1}, 2) == "");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p-127, 1}, 1) == "scale: a number is too small");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p-127, 1}, -1) == "scale: a number is too small");
  CHECK(error_of_q<std::int32_t>(kFloat, {0x1p-127, 1}, 0) == "");
  CHECK(error_of_q<std::int32_t>(kFloat, {1, 0x1.0000000000001p126}, 1) == "scale: a number is too small");
}

TEST_CASE("f64 can neither overflow nor become subnormal") {
  constexpr std::int64_t kLimit = std::int64_t{1} << 53;
  CHECK(error_of_q<std::int64_t>(kDouble, {0x1p300, 0x1p-300}, kLimit) == "");
  CHECK(error_of_q<std::int64_t>(kDouble, {0x1p-300, 0x1p300}, 1) == "");
}

TEST_CASE("integers beyond 64 bits are corrupt") {
  CHECK(error_of_q<std::int64_t>(kLong, {0x1p10, 1}, (std::int64_t{1} << 53) - 1) == "");
  CHECK(error_of_q<std::int64_t>(kLong, {0x1p10, 1}, std::int64_t{1} << 53) ==
        "scale: a number is beyond 64 bits");
  CHECK(error_of_q<std::int64_t>(kLong, {0x1p10, 1}, -(std::int64_t{1} << 53)) ==
        "scale: a number is beyond 64 bits");
  CHECK(error_of_q<std::int32_t>(kInt, {0x1p40, 1}, 1 << 22) == "");  // the low bits
  CHECK(error_of_q<std::int32_t>(kInt, {0x1p40, 1}, 1 << 23) == "scale: a number is beyond 64 bits");
}

TEST_CASE("a q under a hole may be anything") {
  for (const ScaleShape& shape : {kDouble, kLong}) {
    std::vector<std::int64_t> q(100, 5);
    q[70] = std::numeric_limits<std::int64_t>::max();
    Scaled chunk = one_pair({1, 1}, test::bytes_of_words(q));
    chunk.bitmap.assign(13, 0);
    chunk.bitmap[70 / 8] = 1u << (70 % 8);
    chunk.hole_words = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(error_of(shape, chunk) == "");
    const ByteVector words = test::unscaled_of(shape, chunk).words;
    CHECK(ByteVector(words.begin() + 560, words.begin() + 568) == chunk.hole_words);
  }
}

TEST_CASE("counts, modes, selectors and lengths are checked") {
  const std::vector<ScalePair> pairs{{1, 100}, {1, 1000}};
  const std::vector<std::byte> selectors{std::byte{0}, std::byte{1}, std::byte{1}};
  const auto words = test::bytes_of_words(std::vector<float>(2100, 0.01f));
  const Scaled good = test::scaled_of(kFloat, {pairs, selectors, {}, false}, words);
  REQUIRE(error_of(kFloat, good) == "");
  const auto with = [&](auto change) {
    Scaled bad = good;
    change(bad);
    return error_of(kFloat, bad);
  };
  const std::string pair_length = "scale: the pairs have the wrong length";
  const std::string selector_length = "scale: the selectors have the wrong length";
  const std::string hole_length = "scale: the hole words have the wrong length";
  CHECK(with([](Scaled& s) { s.selectors[1] = 2; }) == "scale: a selector has no pair");
  CHECK(with([](Scaled& s) { s.selectors[2] = 255; }) == "scale: a selector has no pair");
  CHECK(with([](Scaled& s) { s.selectors.pop_back(); }) == selector_length);
  CHECK(with([](Scaled& s) { s.selectors.push_back(0); }) == selector_length);
  CHECK(with([](Scaled& s) { s.pairs.resize(16); }) == selector_length);
  CHECK(with([](Scaled& s) { s.pairs.clear(); }) == selector_length);
  CHECK(with([](Scaled& s) { s.pairs.pop_back(); }) == pair_length);
  CHECK(with([](Scaled& s) { s.pairs.resize(17 * 16, 0x3F); }) == pair_length);
  CHECK(with([](Scaled& s) { s.bitmap.push_back(0); }) == "scale: the bitmap has the wrong length");
  CHECK(with([](Scaled& s) { s.hole_words.assign(4, 0); }) == hole_length);
}

TEST_CASE("a bitmap without holes may have one word or none") {
  Scaled chunk = one_pair({1, 100}, ByteVector(40, 0));
  chunk.bitmap = {0, 0};
  CHECK(error_of(kFloat, chunk) == "");
  chunk.hole_words = {1, 2, 3, 4};
  CHECK(error_of(kFloat, chunk) == "");
  chunk.hole_words.resize(8);
  CHECK(error_of(kFloat, chunk) == "scale: the hole words have the wrong length");
}

TEST_CASE("one hole word fills all holes") {
  Scaled chunk = one_pair({1, 1}, ByteVector(40, 0));
  chunk.bitmap = {0x81, 0x02};
  chunk.hole_words = {1, 2, 3, 4};
  const ByteVector words = test::unscaled_of(kInt, chunk).words;
  for (const std::size_t i : {0u, 7u, 9u}) {
    CHECK(std::equal(chunk.hole_words.begin(), chunk.hole_words.end(),
                     words.begin() + static_cast<std::ptrdiff_t>(4 * i)));
  }
  CHECK(words[4] == 0);
}

TEST_CASE("the bitmap's padding is zero and its holes are there") {
  auto numbers = std::vector<float>(101, 0.25f);
  numbers[3] = 1e30f;
  numbers[100] = 2e30f;
  const std::vector<ScalePair> pair{{1, 100}};
  const Scaled good = test::scaled_of(kFloat, {pair, {}, {}, false}, test::bytes_of_words(numbers));
  REQUIRE(error_of(kFloat, good) == "");
  REQUIRE(good.hole_words.size() == 8);
  Scaled bad = good;
  bad.bitmap.back() = static_cast<std::uint8_t>(bad.bitmap.back() | 0x20);
  CHECK(error_of(kFloat, bad) == "scale: the bitmap's padding is not zero");
  bad = good;
  bad.bitmap[5] = 1;
  CHECK(error_of(kFloat, bad) == "scale: the hole words have the wrong length");
}

}  // namespace tdz
