// SPDX-License-Identifier: Apache-2.0
// The layout packed: which parameters has it, which version does it need, and how long may its substreams be?
// FORMAT.md, sections 3, 5 and 7.
#include "formats/names.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "tests/formats/support/substream_lengths.hpp"

namespace tdz::formats {
namespace {

/// What a reader says of packed with these two numbers as its parameters.
std::optional<ErrorKind> verdict(unsigned tuple, unsigned zero, std::size_t bytes = 4) {
  std::vector<std::byte> plan = serialize(plan_of_steps(2, {PackedStep{1}}));
  plan.resize(plan.size() - 4);
  plan[plan.size() - 2] = static_cast<std::byte>(bytes);
  for (const unsigned byte : {tuple & 255, tuple >> 8, zero & 255, zero >> 8, 0u})
    if (bytes-- > 0) plan.push_back(static_cast<std::byte>(byte));
  const auto parsed = parse_plan(plan);
  if (parsed) return {};
  return parsed.error().kind;
}

}  // namespace

TEST_CASE("packed: its tuple has 1 to 256 words") {
  CHECK(step_name(PackedStep{3}) == "packed(3)");
  for (const std::uint32_t tuple : {1u, 2u, 256u}) CHECK(check(plan_of_steps(2, {PackedStep{tuple}})));
  for (const std::uint32_t tuple : {0u, 257u, 65536u, 65537u})
    CHECK_FALSE(check(plan_of_steps(2, {PackedStep{tuple}})));
  CHECK_FALSE(verdict(1, 0));
  CHECK_FALSE(verdict(256, 0));
  CHECK(verdict(0, 0) == ErrorKind::unsupported);
  CHECK(verdict(257, 0) == ErrorKind::unsupported);
  CHECK(verdict(1, 1) == ErrorKind::unsupported);
  CHECK(verdict(1, 256) == ErrorKind::unsupported);
  for (const std::size_t bytes : {0u, 2u, 3u, 5u}) CHECK(verdict(1, 0, bytes) == ErrorKind::corrupt);
}

TEST_CASE("packed is the last step of a column") {
  CHECK(check(plan_of_steps(2, {DifferenceStep{2, 1}, ZigzagStep{}, PackedStep{2}})));
  CHECK_FALSE(check(plan_of_steps(2, {PackedStep{2}, ZigzagStep{}})));
  CHECK_FALSE(check(plan_of_steps(2, {PackedStep{2}, PackedStep{2}})));
  CHECK_FALSE(check(plan_of_steps(2, {PackedStep{2}, PlanesStep{}})));
}

TEST_CASE("packed needs version 1.1, and no other step does") {
  CHECK(minor_version(plan_of_steps(2, {DifferenceStep{2, 1}, PackedStep{2}})) == 1);
  CHECK(minor_version(plan_of_steps(2, {DifferenceStep{2, 1}, ZigzagStep{}, PlanesStep{}})) == 0);
  const Plan second{Coding::zstd, {{2, 1, {PlanesStep{}}}, {1, 3, {PackedStep{3}}}}};
  CHECK(minor_version(second) == 1);
}

TEST_CASE("packed: how many groups words have") {
  const auto slowly = [](std::uint64_t words, std::uint64_t tuple) {
    std::uint64_t groups = 0;
    for (std::uint64_t begin = 0; begin < words; begin += 16 * tuple)
      groups += std::min({words - begin, tuple});
    return groups;
  };
  for (const std::uint64_t tuple : {1u, 2u, 3u, 7u, 256u})
    for (std::uint64_t words = 0; words < 9000; words += words < 600 ? 1 : 97) {
      CAPTURE(tuple);
      CAPTURE(words);
      CHECK(packed_groups(words, tuple) == slowly(words, tuple));
    }
  CHECK(packed_groups(1u << 30, 1) == 1u << 26);
}

TEST_CASE("packed: codes and places have one length, widths and bits a bound") {
  const Plan plan = plan_of_steps(3, {PackedStep{2}});
  // 100 words of 3 bytes in blocks of 32: 3 whole ones and one of 4 words; 8 groups.
  CHECK(fits(plan, 300, {1, 4, 4, 0}));
  CHECK(fits(plan, 300, {16, 4, 4, 48 * 8}));
  CHECK(fits(plan, 301, {16, 4, 4, 2, 1}));
  CHECK_FALSE(fits(plan, 300, {0, 4, 4, 0}));
  CHECK_FALSE(fits(plan, 300, {17, 4, 4, 0}));
  CHECK_FALSE(fits(plan, 300, {1, 3, 4, 0}));
  CHECK_FALSE(fits(plan, 300, {1, 5, 4, 0}));
  CHECK_FALSE(fits(plan, 300, {1, 4, 0, 0}));
  CHECK_FALSE(fits(plan, 300, {1, 4, 8, 0}));
  CHECK_FALSE(fits(plan, 300, {1, 4, 4, 1}));
  CHECK_FALSE(fits(plan, 300, {1, 4, 4, 48 * 8 + 2}));
  CHECK_FALSE(fits(plan, 300, {1, 4, 4}));
  CHECK(fits(plan, 2, {0, 0, 0, 0, 2}));
  CHECK_FALSE(fits(plan, 2, {1, 0, 0, 0, 2}));
  // 97 words: the last block has one word, so one group; 7 codes.
  CHECK(fits(plan, 291, {1, 4, 4, 0}));
  // 256 groups have one place, 257 two.
  const Plan bytes = plan_of_steps(1, {PackedStep{1}});
  CHECK(fits(bytes, 4096, {1, 128, 4, 0}));
  CHECK(fits(bytes, 4097, {1, 129, 8, 0}));
}

}  // namespace tdz::formats
