// SPDX-License-Identifier: Apache-2.0
#include "codec/search/recipe_changes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "codec/search/limits.hpp"
#include "formats/bytes.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/steps/scale.hpp"

namespace tdz {
namespace {

// n: the change may cost one part in n of the size.
constexpr std::uint64_t kWorthOrder = 32;
constexpr std::uint64_t kWorthRepeats = 16;

/// A wider tuple takes about the same time for every order.
constexpr std::uint32_t kWidestTuple = 64;

/// The last difference of each column with one order less. Nothing: each of them has one order at most.
std::optional<Recipe> with_lower_orders(Recipe recipe) {
  bool some = false;
  for (Column& column : recipe.plan.columns) {
    const auto is_difference = [](const PlanStep& step) {
      return std::holds_alternative<DifferenceStep>(step);
    };
    const auto last = std::find_if(column.steps.rbegin(), column.steps.rend(), is_difference);
    if (last == column.steps.rend()) continue;
    auto& step = std::get<DifferenceStep>(*last);
    if (step.order < 2 || step.tuple > kWidestTuple) continue;
    --step.order;
    some = true;
  }
  return some ? std::optional(std::move(recipe)) : std::nullopt;
}

bool has_tokens(const Column& column) {
  return tokens_of(column) != nullptr;
}

/// Tokens without a search for repeats. Each repeat takes as long to decode as some twenty tokens.
std::optional<Recipe> with_lone_tokens(Recipe recipe) {
  bool some = false;
  std::size_t plane = 0;
  for (const Column& column : recipe.plan.columns) {
    if (!has_tokens(column)) break;  // the planes of another layout depend on the length of a chunk
    const std::size_t raw = (plane += formats::substream_count(column)) - 1;
    if (raw >= FramePlan::kPlanes) break;
    Packing& packing = recipe.packing.packing[raw - 1];
    if (without_cuts(packing) != Packing::search && without_cuts(packing) != Packing::quick) continue;
    packing = Packing::entropy;
    some = true;
  }
  return some ? std::optional(std::move(recipe)) : std::nullopt;
}

Result<std::uint64_t> size_of(const Recipe& recipe, const Pieces& pieces, Trial& trial) {
  const auto sample = trial.joined(recipe.plan, pieces, recipe.hints);
  if (!sample) return sample.error();
  return trial.packed(recipe.packing, (*sample)->bytes, (*sample)->planes);
}

}  // namespace

Result<Recipe> with_quick_reading(const Recipe& recipe, const Pieces& pieces, bool order_may_change,
                                  Trial& trial) {
  Recipe best = recipe;
  auto smallest = size_of(best, pieces, trial);
  if (!smallest) return smallest.error();
  const auto attempt = [&](std::optional<Recipe> other, std::uint64_t parts) -> Status {
    if (!other) return ok();
    const auto size = size_of(*other, pieces, trial);
    if (!size) return size.error();
    if (!clearly_smaller(*smallest, *size, parts)) best = *std::move(other), smallest = *size;
    return ok();
  };
  if (order_may_change) {
    if (auto done = attempt(with_lower_orders(best), kWorthOrder); !done) return done.error();
  }
  if (auto done = attempt(with_lone_tokens(best), kWorthRepeats); !done) return done.error();
  return best;
}

namespace {

/// The others are left for what only single chunks have.
constexpr std::size_t kMostPairs = kMaxScalePairs / 2;
/// 1/1000: what further pairs must save.
constexpr std::uint64_t kWorthPairs = 1000;

double number_at(std::span<const std::byte> bytes, std::size_t at) {
  return std::bit_cast<double>(formats::get_le<std::uint64_t>(bytes.subspan(at)));
}

std::vector<ScalePair> pairs_in(std::span<const std::byte> bytes) {
  std::vector<ScalePair> pairs;
  for (std::size_t at = 0; at < bytes.size(); at += formats::kScalePairBytes)
    pairs.push_back({number_at(bytes, at), number_at(bytes, at + sizeof(double))});
  return pairs;
}

/// Adds the pairs that the columns of a coded piece have in use. True: some are new.
bool add_pairs(const Plan& plan, std::size_t original, const Substreams& coded,
               std::vector<ColumnHints>& hints) {
  const auto expected = formats::substreams(plan, original);
  bool added = false;
  for (std::size_t i = 0, at = 0; i < expected.size(); at += coded.lengths[i++]) {
    if (expected[i].role != formats::SubstreamRole::scale_pairs || !hints[expected[i].column].scale) continue;
    auto& known = hints[expected[i].column].scale->pairs;
    for (const ScalePair& pair : pairs_in(coded.bytes.subspan(at, coded.lengths[i]))) {
      if (known.size() >= kMostPairs || std::ranges::find(known, pair) != known.end()) continue;
      known.push_back(pair);
      added = true;
    }
  }
  return added;
}

bool has_pairs(const Recipe& recipe) {
  return std::ranges::any_of(recipe.hints,
                             [](const ColumnHints& h) { return h.scale && !h.scale->pairs.empty(); });
}

}  // namespace

Result<Recipe> with_found_pairs(const Recipe& recipe, const Pieces& pieces, Trial& trial) {
  if (!has_pairs(recipe)) return recipe;
  Recipe other = recipe;
  bool added = false;
  for (const auto piece : pieces) {
    auto coded = trial.substreams(recipe.plan, piece, recipe.hints);
    if (!coded) return coded.error();
    added |= add_pairs(recipe.plan, piece.size(), *coded, other.hints);
  }
  if (!added) return recipe;
  auto before = trial.packed_together(recipe.plan, pieces, Packing::quick, recipe.hints);
  if (!before) return before.error();
  auto after = trial.packed_together(other.plan, pieces, Packing::quick, other.hints);
  if (!after) return after.error();
  return clearly_smaller(*after, *before, kWorthPairs) ? other : recipe;
}

}  // namespace tdz
