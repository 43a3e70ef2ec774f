// SPDX-License-Identifier: Apache-2.0
// Which lengths may the substreams of a chunk have? FORMAT.md, section 5, "Sizes".
#include "tests/formats/support/substream_lengths.hpp"

namespace tdz::formats {
TEST_CASE("words and the rest have one length each") {
  const Plan plan{Coding::zstd, {{2, 3, {}}, {4, 1, {PlanesStep{}}}}};
  CHECK(fits(plan, 25, {12, 8, 5}));
  CHECK(fits(plan, 20, {12, 8}));
  CHECK(fits(plan, 9, {0, 0, 9}));
  CHECK_FALSE(fits(plan, 25, {12, 8}));
  CHECK_FALSE(fits(plan, 20, {12, 8, 0}));
  CHECK_FALSE(fits(plan, 25, {13, 8, 4}));
  CHECK_FALSE(fits(plan, 25, {12, 8, 4}));
}

TEST_CASE("tokens have one length, raw bits a bound") {
  const Plan plan = plan_of_steps(3, {TokensStep{2, {3, 1}, 1024}});
  CHECK(fits(plan, 30, {10, 30}));
  CHECK(fits(plan, 30, {10, 0}));
  CHECK_FALSE(fits(plan, 30, {10, 31}));
  CHECK_FALSE(fits(plan, 30, {9, 0}));
  CHECK(fits(plan, 2, {0, 0, 2}));
  CHECK_FALSE(fits(plan, 2, {0, 1, 2}));
}

TEST_CASE("coefficients: an even number of bytes, two and a few more for each block") {
  const Plan plan = plan_of_steps(1, {PredictStep{2, Sign::is_signed}});
  // 8193 words in two lanes of 4097 and 4096: 3 blocks.
  CHECK(fits(plan, 8193, {6, 8193}));
  CHECK(fits(plan, 8193, {198, 8193}));
  CHECK_FALSE(fits(plan, 8193, {4, 8193}));
  CHECK_FALSE(fits(plan, 8193, {7, 8193}));
  CHECK_FALSE(fits(plan, 8193, {200, 8193}));
  CHECK(fits(plan_of_steps(1, {PredictStep{256, Sign::is_signed}}), 5, {10, 5}));
}

TEST_CASE("scale: selectors follow from pairs, hole words need a bitmap") {
  const Plan plan = plan_of_steps(4, {ScaleStep{2, ScaleKind::real}});
  const std::uint32_t bytes = 4 * 2049;  // lanes of 1025 and 1024: 3 selectors, a bitmap of 257 bytes
  CHECK(fits(plan, bytes, {0, 0, 0, 0, bytes}));
  CHECK(fits(plan, bytes, {16, 0, 257, 4, bytes}));
  CHECK(fits(plan, bytes, {256, 3, 257, 40, bytes}));
  CHECK_FALSE(fits(plan, bytes, {272, 3, 0, 0, bytes}));
  CHECK_FALSE(fits(plan, bytes, {8, 0, 0, 0, bytes}));
  CHECK_FALSE(fits(plan, bytes, {16, 3, 0, 0, bytes}));
  CHECK_FALSE(fits(plan, bytes, {32, 0, 0, 0, bytes}));
  CHECK_FALSE(fits(plan, bytes, {16, 0, 256, 4, bytes}));
  CHECK_FALSE(fits(plan, bytes, {16, 0, 0, 4, bytes}));
  CHECK_FALSE(fits(plan, bytes, {16, 0, 257, 5, bytes}));
  CHECK_FALSE(fits(plan, 3, {16, 0, 0, 0, 0, 3}));
  CHECK(fits(plan, 3, {0, 0, 0, 0, 0, 3}));
}

TEST_CASE("all substreams together are bounded") {
  const Plan plan = plan_of_steps(1, {ScaleStep{}, TokensStep{1, {0, 0}, 0}});
  const std::uint32_t n = 1 << 20;
  CHECK(fits(plan, n, {0, 0, n / 8, n / 4, n, n}));
  CHECK_FALSE(fits(plan, n, {0, 0, n / 8, n, n, n}));
  CHECK(max_substream_bytes(3) == 7 + 65536);
}

TEST_CASE("the most substreams that there are") {
  const Column most{1, 1, {ScaleStep{}, PredictStep{}, PackedStep{}}};
  const Plan plan{Coding::zstd, std::vector<Column>(64, most)};
  CHECK(substreams(plan, 65).size() == 577);
  CHECK(substreams(plan, 65).size() <= kMaxSubstreams);
}

TEST_CASE("a long tuple costs nothing") {
  const Plan plan = plan_of_steps(1, {DifferenceStep{0xFFFFFFFF, 1}, TuplePlanesStep{0xFFFFFFFF}});
  CHECK(fits(plan, 1u << 30, {1u << 30}));
}

}  // namespace tdz::formats
