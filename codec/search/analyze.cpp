// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "codec/pipe/options.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/search/column/column_draft.hpp"
#include "codec/search/grid.hpp"
#include "codec/search/prepare.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/scale/scale_side.hpp"

namespace tdz {
namespace {

Analysis analysis_of(const Prepared& prepared) {
  Analysis analysis;
  for (const Recipe& recipe : prepared.found.recipes) analysis.chosen.push_back(plan_of(recipe));
  analysis.candidates = prepared.found.tried;
  for (const auto piece : prepared.found.tried_on) analysis.sampled_bytes += piece.size();
  analysis.raw_prefix = prepared.options.raw_prefix;
  analysis.type = prepared.options.type;
  analysis.sniffed = prepared.sniffed;
  analysis.level = prepared.options.level;
  analysis.chunk_bytes = chunk_bytes(prepared.options);
  return analysis;
}

/// The search tries some steps on other samples, so the choice need not be among the candidates.
Status add_choice(Analysis& analysis, const Found& found, Trial& trial) {
  const Recipe& recipe = found.recipes.front();
  const auto same = [&](const Candidate& other) { return other.plan == recipe.plan; };
  if (found.tried.empty() || std::ranges::any_of(found.tried, same)) return ok();
  const Pieces pieces = aligned(found.samples, found.tried_on, tuple_bytes(recipe.plan));
  auto size = trial.packed_together(recipe.plan, pieces, Packing::quick, recipe.hints);
  if (!size) return size.error();
  analysis.candidates.push_back({recipe.plan, *size});
  return ok();
}

/// Adds the holes of a piece to those of each column.
Status count_holes(const Recipe& recipe, std::span<const std::byte> piece, Trial& trial, std::vector<double>& holes) {
  auto coded = trial.substreams(recipe.plan, piece, recipe.hints);
  if (!coded) return coded.error();
  const auto expected = formats::substreams(recipe.plan, piece.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size(); at += coded->lengths[i++]) {
    if (expected[i].role != formats::SubstreamRole::scale_bitmap) continue;
    holes[expected[i].column] += static_cast<double>(formats::count_holes(coded->bytes.subspan(at, coded->lengths[i])));
  }
  return ok();
}

/// Of each column: the share of its words that are holes. Nothing without a scale.
Result<std::vector<double>> shares_of_holes(const Found& found, Trial& trial) {
  const Recipe& recipe = found.recipes.front();
  const auto& columns = recipe.plan.columns;
  if (std::ranges::none_of(columns, has_scale)) return std::vector<double>{};
  std::vector<double> holes(columns.size(), 0);
  std::uint64_t rows = 0;
  const Pieces& pieces = found.tried_on.empty() ? found.samples.pieces : found.tried_on;
  for (const auto piece : aligned(found.samples, pieces, tuple_bytes(recipe.plan))) {
    if (auto done = count_holes(recipe, piece, trial, holes); !done) return done.error();
    rows += formats::rows_of(recipe.plan, piece.size());
  }
  for (std::size_t c = 0; c < holes.size() && rows != 0; ++c)
    holes[c] /= static_cast<double>(rows * columns[c].count);
  return holes;
}

Result<Analysis> analysis_with_trials(const Prepared& prepared) {
  Analysis analysis = analysis_of(prepared);
  Trial trial(cpu_backend(), prepared.options.level);
  if (auto done = add_choice(analysis, prepared.found, trial); !done) return done.error();
  auto holes = shares_of_holes(prepared.found, trial);
  if (!holes) return holes.error();
  analysis.holes = *std::move(holes);
  auto grid = order_and_tuple_grid(analysis.chosen.front(), prepared.found.tried_on, trial);
  if (!grid) return grid.error();
  analysis.grid = *std::move(grid);
  return analysis;
}

}  // namespace

Result<Analysis> analyze(Source& from, const CompressOptions& options) {
  if (auto done = check(options); !done) return done.error();
  return guarded([&]() -> Result<Analysis> {
    PrefixSource source(from, FlushClock(options.flush_after));
    auto prepared = prepare(source, options, cpu_backend());
    if (!prepared) return prepared.error();
    return analysis_with_trials(*prepared);
  });
}

}  // namespace tdz
