// SPDX-License-Identifier: Apache-2.0
// Does what a host program did to the floating-point environment neither change our bytes nor get lost?
#include <array>
#include <cfenv>

#include "kernels/float_environment.hpp"
#include "tests/kernels/scale_support.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace tdz {
namespace {

using test::ByteVector;
using test::Scaled;

constexpr ScaleShape kShape{4, ScaleKind::real, 1};

ByteVector sample() {
  test::Random random(test::kSeed);
  return test::mixed_words(kShape, 5000, random);
}

Scaled guarded_scale(const ByteVector& words) {
  const FloatEnvironment usual;
  const std::vector<ScalePair> pair{{1, 100}};
  const Scaled scaled = test::scaled_of(kShape, {pair, {}, {}, false}, words);
  CHECK(test::unscaled_of(kShape, scaled).words == words);
  return scaled;
}

}  // namespace

TEST_CASE("the host's rounding changes no byte and is there afterwards") {
  const ByteVector words = sample();
  const Scaled expected = guarded_scale(words);
  for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    REQUIRE(std::fesetround(rounding) == 0);
    test::for_each_target([&](const cpu::Target&) {
      CHECK(guarded_scale(words) == expected);
      CHECK(std::fegetround() == rounding);
    });
    std::fesetround(FE_TONEAREST);
  }
}

#if defined(__SSE2__)
TEST_CASE("flush-to-zero of the host changes no byte and is there afterwards") {
  const ByteVector words = sample();
  const Scaled expected = guarded_scale(words);
  const unsigned before = _mm_getcsr();
  const unsigned flushing = before | 0x8040u;  // FTZ and DAZ
  _mm_setcsr(flushing);
  const Scaled flushed = guarded_scale(words);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK(flushed == expected);
  CHECK(after == flushing);
}
#endif

TEST_CASE("flags of exceptions are the host's") {
  const ByteVector words = sample();
  std::feclearexcept(FE_ALL_EXCEPT);
  std::feraiseexcept(FE_OVERFLOW);  // may raise FE_INEXACT too
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  guarded_scale(words);
  CHECK(std::fetestexcept(FE_ALL_EXCEPT) == raised);
  std::feclearexcept(FE_ALL_EXCEPT);
}

}  // namespace tdz
