// SPDX-License-Identifier: Apache-2.0
// Does a recipe for quick reading give up orders and repeats where they save little, and nothing where they
// save much?
#include <doctest/doctest.h>

#include <vector>

#include "codec/search/recipe_changes.hpp"
#include "formats/bytes.hpp"
#include "tests/random.hpp"

using namespace tdz;

namespace {

using Bytes = std::vector<std::byte>;

/// Sums of random steps, taken `sums` times: so many orders suit them. They repeat themselves after `period`
/// words.
Bytes summed(unsigned sums, std::size_t period = 0) {
  constexpr std::size_t kWords = 100000;
  test::Random random(1);
  std::vector<std::uint32_t> words(kWords);
  for (std::size_t i = 0; i < kWords; ++i)
    words[i] =
        period != 0 && i >= period ? words[i - period] : static_cast<std::uint32_t>(random() % 4096 - 2048);
  for (unsigned k = 0; k < sums; ++k)
    for (std::size_t i = 1; i < kWords; ++i) words[i] += words[i - 1];
  Bytes bytes(kWords * 4);
  for (std::size_t i = 0; i < kWords; ++i) formats::set_le(std::span(bytes).subspan(4 * i), words[i]);
  return bytes;
}

Recipe recipe_of_order(unsigned order) {
  const DifferenceStep difference{1, static_cast<std::uint8_t>(order)};
  const ZigzagStep zigzag;
  Column column{.width = 4, .count = 1, .steps = {difference, zigzag, TokensStep{1, {2, 1}, 0}}};
  Recipe recipe;
  recipe.plan.columns = {column};
  recipe.packing = one_packing(Packing::quick);
  return recipe;
}

unsigned order_of(const Recipe& recipe) {
  return std::get<DifferenceStep>(recipe.plan.columns[0].steps[0]).order;
}

Recipe quick_to_read(const Recipe& recipe, const Bytes& bytes, bool order_may_change = true) {
  Trial trial(1);
  const auto quick = with_quick_reading(recipe, {bytes}, order_may_change, trial);
  REQUIRE(quick);
  return *quick;
}

}  // namespace

TEST_CASE("an order that saves nothing is given up, one that saves much stays") {
  CHECK(order_of(quick_to_read(recipe_of_order(2), summed(1))) == 1);
  CHECK(order_of(quick_to_read(recipe_of_order(2), summed(2))) == 2);
  CHECK(order_of(quick_to_read(recipe_of_order(1), summed(0))) == 1);         // the last one always stays
  CHECK(order_of(quick_to_read(recipe_of_order(2), summed(1), false)) == 2);  // the caller set it
}

TEST_CASE("tokens without repeats get Huffman codes alone, those with repeats are searched") {
  CHECK(quick_to_read(recipe_of_order(1), summed(1)).packing.of(0) == Packing::entropy);
  CHECK(quick_to_read(recipe_of_order(1), summed(1, 1000)).packing.of(0) == Packing::quick);
}

TEST_CASE("only level 1 prefers quick reading, and no fast search") {
  CHECK(prefers_quick_reading(1, Effort::normal));
  CHECK(!prefers_quick_reading(3, Effort::normal));
  CHECK(!prefers_quick_reading(1, Effort::fast));
}
