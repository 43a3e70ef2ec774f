// SPDX-License-Identifier: Apache-2.0
// Do the laws of the scan algebra hold?
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/scan_algebra.hpp"
#include "tests/kernels/support.hpp"

namespace tdz {
namespace {

constexpr unsigned kQ = 8;

template <class Word>
Polynomial<Word, kQ> random_polynomial(std::uint64_t seed) {
  const test::ByteVector bytes = test::random_bytes(kQ * 8, seed);
  Polynomial<Word, kQ> p;
  for (unsigned k = 0; k < kQ; ++k) {
    std::uint64_t word = 0;
    for (unsigned b = 0; b < 8; ++b) word = word << 8 | bytes[8 * k + b];
    p.term[k] = static_cast<Word>(word);
  }
  return p;
}

/// C(m + j - 1, j) mod 2^64 by Pascal's rule: the weight for j is the sum of the weights for 0..j at m - 1.
std::vector<std::uint64_t> weights_by_pascal(unsigned m) {
  std::vector<std::uint64_t> weights(kQ, 0);
  weights[0] = 1;
  for (unsigned step = 0; step < m; ++step) {
    for (unsigned j = 1; j < kQ; ++j) weights[j] += weights[j - 1];
  }
  return weights;
}

template <class Word>
Polynomial<Word, kQ> advance(const Polynomial<Word, kQ>& carry, std::uint64_t m) {
  return multiply(carry, advance_weights<Word, kQ>(m));
}

/// A part of one lane: its length in lane steps and its carry from a zero start.
template <class Word>
struct Part {
  std::uint64_t steps = 0;
  Polynomial<Word, kQ> carry;

  friend bool operator==(const Part&, const Part&) = default;
};

/// `first` followed by `second`: what a look-back does with the summaries of tiles.
template <class Word>
Part<Word> join(const Part<Word>& first, const Part<Word>& second) {
  return {first.steps + second.steps, add(advance(first.carry, second.steps), second.carry)};
}

template <class Word>
Part<Word> part_of(const std::vector<Word>& residuals) {
  Part<Word> part;
  for (Word r : residuals) integrate_step(part.carry, r);
  part.steps = residuals.size();
  return part;
}

}  // namespace

TEST_CASE_TEMPLATE("advances compose by adding their lengths", Word, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  const auto carry = random_polynomial<Word>(test::kSeed);
  for (std::uint64_t a : {0ull, 1ull, 2ull, 31ull, 255ull, 65537ull, 1ull << 40}) {
    for (std::uint64_t b : {0ull, 1ull, 3ull, 256ull, 1000003ull}) {
      CHECK(advance(advance(carry, a), b) == advance(carry, a + b));
    }
  }
}

TEST_CASE_TEMPLATE("an advance of one step is a step with residual zero", Word, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  auto stepped = random_polynomial<Word>(test::kSeed + 1);
  const auto carry = stepped;
  for (std::uint64_t m = 1; m <= 300; ++m) {
    integrate_step(stepped, Word{0});
    REQUIRE(stepped == advance(carry, m));
  }
}

TEST_CASE("the weights of an advance are binomial coefficients") {
  for (unsigned m = 0; m <= 700; ++m) {
    const auto expected = weights_by_pascal(m);
    const auto wide = advance_weights<std::uint64_t, kQ>(m);
    const auto narrow = advance_weights<std::uint8_t, kQ>(m);
    for (unsigned j = 0; j < kQ; ++j) {
      REQUIRE(wide.term[j] == expected[j]);
      REQUIRE(narrow.term[j] == static_cast<std::uint8_t>(expected[j]));
    }
  }
}

TEST_CASE_TEMPLATE("join is associative and has an identity", Word, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Part<Word> a{seed * 7 + 1, random_polynomial<Word>(seed)};
    const Part<Word> b{seed * seed, random_polynomial<Word>(seed + 1000)};
    const Part<Word> c{std::uint64_t{1} << (seed % 33), random_polynomial<Word>(seed + 2000)};
    CHECK(join(join(a, b), c) == join(a, join(b, c)));
    CHECK(join(a, Part<Word>{}) == a);
    CHECK(join(Part<Word>{}, a) == a);
  }
}

TEST_CASE_TEMPLATE("joining two parts equals stepping through both", Word, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t) {
  std::vector<Word> residuals(1000);
  for (std::size_t i = 0; i < residuals.size(); ++i)
    residuals[i] = static_cast<Word>(i * i * 0x9E3779B1u + 251 - i);
  for (std::ptrdiff_t cut : {0, 1, 7, 255, 256, 999, 1000}) {
    const auto middle = residuals.begin() + cut;
    const auto first = part_of(std::vector<Word>(residuals.begin(), middle));
    const auto second = part_of(std::vector<Word>(middle, residuals.end()));
    CHECK(join(first, second) == part_of(residuals));
  }
}

TEST_CASE_TEMPLATE("sums wrap when every high bit is set", Word, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  const Word highest = std::numeric_limits<Word>::max(), top = static_cast<Word>(highest - highest / 2);
  for (Word value : {highest, top}) {
    const auto whole = part_of(std::vector<Word>(513, value));
    const auto part = part_of(std::vector<Word>(171, value));
    CHECK(whole == join(part, join(part, part)));
    CHECK(whole.carry.term[0] == static_cast<Word>(513 * std::uint64_t{value}));
  }
}

TEST_CASE_TEMPLATE("difference_step undoes integrate_step", Word, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
  Polynomial<Word, kQ> carry, history;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Word residual = static_cast<Word>(i * i * i * 0x9E3779B97F4A7C15ull >> 7);
    REQUIRE(difference_step(history, integrate_step(carry, residual)) == residual);
  }
}

}  // namespace tdz
