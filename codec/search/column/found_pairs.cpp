// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/found_pairs.hpp"

#include <algorithm>
#include <bit>

#include "codec/search/limits.hpp"
#include "formats/bytes.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/steps/scale.hpp"

namespace tdz {
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
