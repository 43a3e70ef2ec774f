// SPDX-License-Identifier: Apache-2.0
#include "codec/search/search.hpp"

#include <algorithm>
#include <numeric>

#include "codec/search/climb.hpp"
#include "codec/search/packing_plan.hpp"
#include "codec/search/steps_search.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/float_environment.hpp"

namespace tdz {
namespace {

constexpr std::size_t kSamples = 8;
constexpr std::size_t kSampleBytes = std::size_t{128} << 10;   // 1 MiB in all, as long as a chunk
constexpr std::size_t kAloneBytes = std::size_t{64} << 10;     // of a piece, to compare pieces one by one
constexpr std::size_t kThoroughBytes = std::size_t{32} << 10;  // of a piece, if the level is slow
constexpr std::size_t kFinalistsOfKind = 2;
// The next five are parts of a size: n means 1/n of it.
constexpr std::uint64_t kClearly = 33;  // 3 %: a chunk takes another recipe if it saves more than this
constexpr std::uint64_t kClose = 16;    // 6 %: within this a candidate may still win on longer samples
constexpr std::uint64_t kNear = 4;      // 25 %: within this plain bytes stay a finalist
constexpr std::uint64_t kWorthSteps = 50;    // 2 %: steps must save more than this over plain bytes
constexpr std::uint64_t kWorthAnother = 50;  // 2 %: a further recipe costs time and must save more than this

/// The step that makes the layout of the first column; byteswap stands for none.
StepId layout_step(const Plan& plan) {
  const Column& column = plan.columns.front();
  const auto* step = has_layout(column) ? std::get_if<PlainStep>(&column.steps.back()) : nullptr;
  return step != nullptr ? step->step.id : StepId::byteswap;
}

/// The packed sizes of one finalist, piece by piece.
using Sizes = std::vector<std::uint64_t>;

/// The recipe of each piece, by the same rule as choose_recipe.
std::vector<std::size_t> recipes_of_pieces(const std::vector<Sizes>& sizes,
                                           const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> recipe_of(sizes.front().size(), 0);
  for (std::size_t piece = 0; piece < recipe_of.size(); ++piece) {
    for (std::size_t c = 1; c < chosen.size(); ++c) {
      const std::uint64_t so_far = sizes[chosen[recipe_of[piece]]][piece];
      if (clearly_smaller(sizes[chosen[c]][piece], so_far, kClearly)) recipe_of[piece] = c;
    }
  }
  return recipe_of;
}

std::uint64_t total_of(const std::vector<Sizes>& sizes, const std::vector<std::size_t>& chosen) {
  const auto recipe_of = recipes_of_pieces(sizes, chosen);
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < recipe_of.size(); ++piece)
    sum += sizes[chosen[recipe_of[piece]]][piece];
  return sum;
}

/// The first finalist, then each one that makes the sum clearly smaller when every piece takes its best
/// recipe. A finalist that no piece takes is left out.
std::vector<std::size_t> choose(const std::vector<Sizes>& sizes, std::size_t first, std::size_t most) {
  std::vector<std::size_t> chosen{first}, all(sizes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  while (chosen.size() < most) {
    const auto with = [&](std::size_t other) {
      auto more = chosen;
      more.push_back(other);
      return total_of(sizes, more);
    };
    const std::size_t next = *std::ranges::min_element(all, {}, with);
    if (!clearly_smaller(with(next), total_of(sizes, chosen), kWorthAnother)) break;
    chosen.push_back(next);
  }
  const auto recipe_of = recipes_of_pieces(sizes, chosen);
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    if (std::ranges::find(recipe_of, c) != recipe_of.end()) used.push_back(chosen[c]);
  }
  return used;
}

class Search {
 public:
  Search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
         const std::optional<formats::SniffedHint>& hint, int level, Backend& backend)
      : input_(input),
        raw_prefix_(raw_prefix),
        request_(request),
        hint_(hint),
        limits_(limits_of(request.effort)),
        trial_(backend, level) {}

  Result<Found> run() {
    const FloatEnvironment usual;
    if (auto done = find_finalists(); !done) return done.error();
    if (finalists_.empty()) add_finalist({formats::plan_of(transform_of(apply_request(request_, {}))), {}, {}});
    if (auto done = choose_recipes(); !done) return done.error();
    found_.samples = std::move(samples_);  // the spans stay valid: moving a vector keeps its memory
    return std::move(found_);
  }

 private:
  Status find_finalists() {
    auto samples = take_samples(input_, raw_prefix_, kSamples, kSampleBytes);
    if (!samples) return samples.error();
    samples_ = std::move(*samples);
    auto kinds = find_kinds(samples_, request_, hint_, limits_, trial_);
    if (!kinds) return kinds.error();
    for (const Kind& kind : *kinds) {
      const bool whole = &kind == &kinds->front();
      auto climbed = climb(kind, request_, hint_, limits_, trial_);
      if (!climbed) return climbed.error();
      add_finalists(climbed->tried, whole ? limits_.finalists : kFinalistsOfKind);
      if (auto done = add_steps(kind, climbed->tried); !done) return done;
      if (!whole) continue;
      found_.tried = std::move(climbed->tried);
      found_.tried_on = std::move(climbed->pieces);
    }
    return ok();
  }

  /// Adds the best few, and plain bytes if they are near the best.
  void add_finalists(std::vector<Candidate> tried, std::size_t count) {
    std::ranges::stable_sort(tried, {}, &Candidate::packed_bytes);
    const std::uint64_t near = tried.front().packed_bytes + tried.front().packed_bytes / kNear;
    std::vector<StepId> layouts;
    for (std::size_t i = 0; i < tried.size() && tried[i].packed_bytes <= near; ++i) {
      const Plan& plan = tried[i].plan;
      const bool plain = has_no_steps(plan);
      const StepId last = layout_step(plan);
      const bool first_of_layout = std::ranges::find(layouts, last) == layouts.end();
      layouts.push_back(last);
      const bool close = !clearly_smaller(tried.front().packed_bytes, tried[i].packed_bytes, kClose);
      if ((i < count && close) || plain || (limits_.each_layout && first_of_layout)) add_finalist({plan, {}, {}});
    }
  }
  void add_finalist(Recipe recipe) {
    const auto same = [&](const Recipe& other) { return other.plan == recipe.plan; };
    if (std::ranges::none_of(finalists_, same)) finalists_.push_back(std::move(recipe));
  }

  /// What scale, lanes, predict and tokens make of the best candidates.
  Status add_steps(const Kind& kind, const std::vector<Candidate>& tried) {
    std::uint64_t smallest = UINT64_MAX / 2;
    for (const Start& start : starts_of(samples_, kind, tried, request_, limits_)) {
      const std::size_t tuple = std::size_t{start.draft.base.word} * start.draft.base.tuple;
      const Pieces pieces = first_of(aligned(samples_, kind.pieces, tuple), limits_.step_bytes);
      auto kept = search_steps(start, pieces, request_, limits_, smallest, trial_);
      if (!kept) return kept.error();
      smallest = std::min(smallest, kept->back().packed_bytes);
      const ColumnDraft& best = kept->back().draft;
      add_finalist({plan_of(best), {hints_of(best)}, {}});
    }
    return ok();
  }

  Pieces pieces_for(const Recipe& recipe, const Pieces& pieces) const {
    return aligned(samples_, pieces, tuple_bytes(recipe.plan));
  }

  /// Chooses the recipes among the finalists, and the packing plan of each.
  Status choose_recipes() {
    if (samples_.pieces.empty()) {
      found_.recipes.push_back(finalists_.front());
      return ok();
    }
    auto first = first_choice();
    if (!first) return first.error();
    auto sizes = sizes_of_pieces();
    if (!sizes) return sizes.error();
    const auto chosen = choose(*sizes, *first, limits_.recipes);
    const auto recipe_of = recipes_of_pieces(*sizes, chosen);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      Pieces theirs;
      for (std::size_t piece = 0; piece < recipe_of.size(); ++piece) {
        if (recipe_of[piece] == c) theirs.push_back(samples_.pieces[piece]);
      }
      Recipe recipe = finalists_[chosen[c]];
      auto packing = plan_packing(recipe, pieces_for(recipe, theirs), limits_.tolerance, trial_);
      if (!packing) return packing.error();
      recipe.packing = *packing;
      found_.recipes.push_back(std::move(recipe));
    }
    return ok();
  }

  /// The best finalist for all samples as one chunk. Steps must save kWorthSteps over plain bytes: plain
  /// bytes cost no time, and repeats that are too far apart for samples make them smaller still.
  Result<std::size_t> first_choice() {
    const bool quick = limits_.finalist_packing == Packing::quick;
    Sizes sizes;
    for (const Recipe& recipe : finalists_) {
      const Pieces all = pieces_for(recipe, samples_.pieces);
      const Pieces pieces = quick ? all : first_of(all, kThoroughBytes);
      auto size = trial_.packed_together(recipe.plan, pieces, limits_.finalist_packing, recipe.hints);
      if (!size) return size.error();
      const bool plain = has_no_steps(recipe.plan);
      sizes.push_back(plain ? *size - *size / kWorthSteps : *size);
    }
    return static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
  }

  Result<std::vector<Sizes>> sizes_of_pieces() {
    std::vector<Sizes> sizes;
    for (const Recipe& recipe : finalists_) {
      sizes.emplace_back();
      for (const auto piece : first_of(pieces_for(recipe, samples_.pieces), kAloneBytes)) {
        auto size = trial_.packed_alone(recipe.plan, piece, recipe.hints);
        if (!size) return size.error();
        sizes.back().push_back(*size);
      }
    }
    return sizes;
  }

  RandomAccess& input_;
  std::uint64_t raw_prefix_;
  const SearchOptions& request_;
  const std::optional<formats::SniffedHint>& hint_;
  SearchLimits limits_;
  Trial trial_;
  Samples samples_;
  std::vector<Recipe> finalists_;
  Found found_;
};

}  // namespace

Result<Found> search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     const std::optional<formats::SniffedHint>& hint, int level, Backend& backend) {
  return Search(input, raw_prefix, request, hint, level, backend).run();
}

Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  std::size_t sample, Trial& trial) {
  if (recipes.size() == 1) return std::size_t{0};
  const std::size_t length = std::min(chunk.size(), sample);
  std::size_t best = 0;
  std::uint64_t smallest = 0;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const std::size_t unit = std::lcm<std::size_t>(8, tuple_bytes(recipes[i].plan));
    const auto piece = chunk.subspan((chunk.size() - length) / 2 / unit * unit, length);
    auto size = trial.packed_alone(recipes[i].plan, piece, recipes[i].hints);
    if (!size) return size.error();
    if (i == 0 || clearly_smaller(*size, smallest, kClearly)) best = i, smallest = *size;
  }
  return best;
}

}  // namespace tdz
