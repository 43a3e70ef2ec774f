// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/prepare.hpp"
#include "codec/search/stored_size.hpp"
#include "codec/search/uniform/gpu_frames.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_writer.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/steps/scale.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kReadWhole = std::uint64_t{1} << 20;  // bytes, at most

/// first, first + 1 .. last, and also `own` if it is larger than `last`.
template <class T>
std::vector<T> range_with(T first, T last, T own) {
  std::vector<T> values;
  for (T value = first; value <= last; ++value) values.push_back(value);
  if (own > last) values.push_back(own);
  return values;
}

/// The packed sizes of the chosen steps with other orders and tuples, for reports.
/// Empty if `chosen` is not a list of steps that Parameters describe. Otherwise `chosen` with the orders 0 to
/// 4 and the tuples 1 to 8, and with its own order and tuple: all tuples of order 0 first. The pieces are
/// packed together. Errors: those of Trial.
Result<std::vector<GridCell>> order_and_tuple_grid(const Plan& chosen, const Pieces& pieces, Trial& trial) {
  std::vector<GridCell> grid;
  const auto parameters = formats::exact_parameters_of(chosen);
  if (!parameters) return grid;
  const formats::Parameters& own = *parameters;
  for (const std::uint8_t order : range_with<std::uint8_t>(0, 4, own.order)) {
    for (const std::uint32_t tuple : range_with<std::uint32_t>(1, 8, own.tuple)) {
      formats::Parameters steps = own;
      steps.order = order;
      steps.tuple = tuple;
      auto size = trial.packed_together(formats::plan_of(formats::column_of(steps)), pieces);
      if (!size) return size.error();
      grid.push_back({order, tuple, *size});
    }
  }
  return grid;
}

Analysis analysis_of(const Prepared& prepared) {
  Analysis analysis;
  for (const Recipe& recipe : prepared.found.recipes) analysis.chosen.push_back(plan_of(recipe));
  analysis.candidates = prepared.found.tried;
  for (const auto piece : prepared.found.tried_on) analysis.sampled_bytes += piece.size();
  analysis.larger_for_gpu = prepared.found.larger_for_gpu;
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
Status count_holes(const Recipe& recipe, std::span<const std::byte> piece, Trial& trial,
                   std::vector<double>& holes) {
  auto coded = trial.substreams(recipe.plan, piece, recipe.hints);
  if (!coded) return coded.error();
  const auto expected = formats::substreams(recipe.plan, piece.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size(); at += coded->lengths[i++]) {
    if (expected[i].role != formats::SubstreamRole::scale_bitmap) continue;
    holes[expected[i].column] +=
        static_cast<double>(formats::count_holes(coded->bytes.subspan(at, coded->lengths[i])));
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

/// All of a short input; nothing of a longer one. A file is not moved on.
Result<std::optional<std::vector<std::byte>>> short_input(PrefixSource& source) {
  std::optional<std::vector<std::byte>> all;
  RandomAccess* file = source.random_access();
  if ((file != nullptr ? file->size() : source.size().value_or(0)) > kReadWhole) return all;
  all.emplace(file != nullptr ? file->size() : kReadWhole + 1);
  if (file != nullptr) {
    if (auto done = file->read_at(0, *all); !done) return done.error();
    return all;
  }
  std::size_t have = 0;
  while (have < all->size()) {
    const auto came = source.read(std::span(*all).subspan(have));
    if (!came) return came.error();
    if (*came == 0) break;
    have += *came;
  }
  if (have > kReadWhole) return std::optional<std::vector<std::byte>>();
  all->resize(have);
  return all;
}

/// Encodes a short input as compress does, and counts.
Status count_records(std::span<const std::byte> input, const Prepared& prepared, Analysis& analysis) {
  const CompressOptions& options = prepared.options;
  if (!check(options)) return ok();  // compress would refuse them
  MemorySource source(input);
  NowhereSink nowhere;
  StreamWriter writer(nowhere, stream_header(options, input.size(), prepared.found.recipes), options.digest,
                      Protect{options.protect});
  SettledEncoder encoder({options, prepared.found.recipes, prepared.chunk_sample});
  std::uint64_t packed = 0;
  const auto write = [&](const Cut& chunk, EncodedChunk& encoded) {
    packed += encoded.packed.size();
    return writer.write_chunk(chunk.bytes, encoded);
  };
  const CutRules rules = cut_rules(options, prepared.found.recipes);
  if (auto done = encoder.encode_all(source, rules, write); !done) return done;
  const auto totals = writer.finish();
  if (!totals) return totals.error();
  analysis.stored_bytes = totals->stored_bytes;
  analysis.record_bytes = totals->stored_bytes - packed;
  return ok();
}

/// With the ratio of the samples.
std::optional<double> speed_of_choice(const Analysis& analysis) {
  const Plan& chosen = analysis.chosen.front();
  const auto own = std::ranges::find(analysis.candidates, chosen, &Candidate::plan);
  const bool known = own != analysis.candidates.end() && own->packed_bytes != 0;
  const double ratio =
      known ? static_cast<double>(analysis.sampled_bytes) / static_cast<double>(own->packed_bytes)
            : 2;  // it moves the speed by a fifth at most
  return gpu_speed(chosen, ratio);
}

Result<Analysis> analysis_with_trials(const Prepared& prepared) {
  Analysis analysis = analysis_of(prepared);
  Trial trial(prepared.options.level);
  if (auto done = add_choice(analysis, prepared.found, trial); !done) return done.error();
  auto holes = shares_of_holes(prepared.found, trial);
  if (!holes) return holes.error();
  analysis.holes = *std::move(holes);
  auto grid = order_and_tuple_grid(analysis.chosen.front(), prepared.found.tried_on, trial);
  if (!grid) return grid.error();
  analysis.grid = *std::move(grid);
  if (prepared.options.gpu && analysis.chosen.size() == 1) analysis.gpu_speed = speed_of_choice(analysis);
  return analysis;
}

}  // namespace

Result<Analysis> analyze(Source& from, const CompressOptions& options) {
  if (auto done = check(options); !done) return done.error();
  return guarded([&]() -> Result<Analysis> {
    PrefixSource source(from, FlushClock(options.flush_after));
    auto prepared = prepare(source, options);
    if (!prepared) return prepared.error();
    auto analysis = analysis_with_trials(*prepared);
    if (!analysis) return analysis;
    const auto input = short_input(source);
    if (!input) return input.error();
    if (auto done = *input ? count_records(**input, *prepared, *analysis) : ok(); !done) return done.error();
    return analysis;
  });
}

}  // namespace tdz
