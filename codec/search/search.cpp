// SPDX-License-Identifier: Apache-2.0
#include "codec/search/search.hpp"

#include <algorithm>
#include <numeric>

#include "codec/search/climb.hpp"
#include "codec/search/packing_plan.hpp"

namespace tdz {
namespace {

constexpr std::size_t kSamples = 8;
constexpr std::size_t kSampleBytes = std::size_t{128} << 10;   // a MiB in all, like a chunk
constexpr std::size_t kAloneBytes = std::size_t{64} << 10;     // of a piece, to judge pieces one by one
constexpr std::size_t kThoroughBytes = std::size_t{32} << 10;  // of a piece, where the level is a slow one
constexpr std::size_t kFinalistsOfKind = 2;
constexpr std::uint64_t kClearly = 33;  // one part of it: 3 %, by which a chunk's own choice must be smaller
constexpr std::uint64_t kClose = 16;    // 6 %, within which a candidate may still win on longer samples
constexpr std::uint64_t kNear = 4;      // 25 %, within which plain bytes stay in the race
constexpr std::uint64_t kWorthSteps = 50;    // 2 %, which steps must gain over plain bytes
constexpr std::uint64_t kWorthAnother = 50;  // 2 %, what choosing chunk by chunk costs in time

/// The sizes of one finalist, piece by piece.
using Sizes = std::vector<std::uint64_t>;

/// Which recipe each piece takes, as choose_recipe has it.
std::vector<std::size_t> taken(const std::vector<Sizes>& sizes, const std::vector<std::size_t>& chosen) {
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
  const auto recipe_of = taken(sizes, chosen);
  std::uint64_t sum = 0;
  for (std::size_t piece = 0; piece < recipe_of.size(); ++piece)
    sum += sizes[chosen[recipe_of[piece]]][piece];
  return sum;
}

/// The best finalist, then those that make the sum clearly smaller where pieces may choose; none that no
/// piece takes.
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
  const auto recipe_of = taken(sizes, chosen);
  std::vector<std::size_t> used;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    if (std::ranges::find(recipe_of, c) != recipe_of.end()) used.push_back(chosen[c]);
  }
  return used;
}

class Search {
 public:
  Search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& said,
         const std::optional<formats::SniffedHint>& hint, int level, Backend& backend)
      : input_(input),
        raw_prefix_(raw_prefix),
        said_(said),
        hint_(hint),
        reach_(reach_of(said.effort)),
        trial_(backend, level) {}

  Result<Found> run() {
    if (auto done = find_finalists(); !done) return done.error();
    if (finalists_.empty()) finalists_.push_back(transform_of(fixed(said_, {})));
    if (auto done = judge(); !done) return done.error();
    found_.samples = std::move(samples_);  // the spans stay valid: the memory moves along
    return std::move(found_);
  }

 private:
  Status find_finalists() {
    auto samples = take_samples(input_, raw_prefix_, kSamples, kSampleBytes);
    if (!samples) return samples.error();
    samples_ = std::move(*samples);
    auto kinds = find_kinds(samples_, said_, hint_, reach_, trial_);
    if (!kinds) return kinds.error();
    for (const Kind& kind : *kinds) {
      const bool whole = &kind == &kinds->front();
      auto climbed = climb(kind, said_, hint_, reach_, trial_);
      if (!climbed) return climbed.error();
      add_finalists(climbed->tried, whole ? reach_.finalists : kFinalistsOfKind);
      if (!whole) continue;
      found_.tried = std::move(climbed->tried);
      found_.tried_on = std::move(climbed->pieces);
    }
    return ok();
  }

  /// The best few, and plain bytes where they come near.
  void add_finalists(std::vector<Candidate> tried, std::size_t count) {
    std::ranges::stable_sort(tried, {}, &Candidate::packed_bytes);
    const std::uint64_t near = tried.front().packed_bytes + tried.front().packed_bytes / kNear;
    std::vector<StepId> layouts;
    for (std::size_t i = 0; i < tried.size() && tried[i].packed_bytes <= near; ++i) {
      const Transform& transform = tried[i].transform;
      const bool plain = transform.steps().empty();
      const StepId last = plain ? StepId::byteswap : transform.steps().back().id;
      const bool first_of_layout = std::ranges::find(layouts, last) == layouts.end();
      layouts.push_back(last);
      const bool close = !clearly_smaller(tried.front().packed_bytes, tried[i].packed_bytes, kClose);
      if ((i < count && close) || plain || (reach_.each_layout && first_of_layout)) add_finalist(transform);
    }
  }
  void add_finalist(const Transform& transform) {
    if (std::ranges::find(finalists_, transform) == finalists_.end()) finalists_.push_back(transform);
  }

  /// Chooses the recipes among the finalists, and how they pack.
  Status judge() {
    if (samples_.pieces.empty()) {
      found_.recipes.push_back({finalists_.front(), {}});
      return ok();
    }
    auto first = first_choice();
    if (!first) return first.error();
    auto sizes = sizes_of_pieces();
    if (!sizes) return sizes.error();
    const auto chosen = choose(*sizes, *first, reach_.recipes);
    const auto recipe_of = taken(*sizes, chosen);
    for (std::size_t c = 0; c < chosen.size(); ++c) {
      Pieces theirs;
      for (std::size_t piece = 0; piece < recipe_of.size(); ++piece) {
        if (recipe_of[piece] == c) theirs.push_back(samples_.pieces[piece]);
      }
      auto plan = plan_packing(finalists_[chosen[c]], theirs, reach_.tolerance, trial_);
      if (!plan) return plan.error();
      found_.recipes.push_back({finalists_[chosen[c]], *plan});
    }
    return ok();
  }

  /// On all samples as one chunk. Plain bytes, unless steps are clearly smaller: they cost no time, and
  /// repeats that samples do not show favour them.
  Result<std::size_t> first_choice() {
    const Pieces pieces =
        reach_.judge == Packing::quick ? samples_.pieces : first_of(samples_.pieces, kThoroughBytes);
    Sizes sizes;
    for (const Transform& transform : finalists_) {
      auto size = trial_.packed_together(transform, pieces, reach_.judge);
      if (!size) return size.error();
      const bool plain = transform.steps().empty();
      sizes.push_back(plain ? *size - *size / kWorthSteps : *size);
    }
    return static_cast<std::size_t>(std::ranges::min_element(sizes) - sizes.begin());
  }

  Result<std::vector<Sizes>> sizes_of_pieces() {
    std::vector<Sizes> sizes;
    for (const Transform& transform : finalists_) {
      sizes.emplace_back();
      for (const auto piece : first_of(samples_.pieces, kAloneBytes)) {
        auto size = trial_.packed_alone(transform, piece);
        if (!size) return size.error();
        sizes.back().push_back(*size);
      }
    }
    return sizes;
  }

  RandomAccess& input_;
  std::uint64_t raw_prefix_;
  const SearchOptions& said_;
  const std::optional<formats::SniffedHint>& hint_;
  Reach reach_;
  Trial trial_;
  Samples samples_;
  std::vector<Transform> finalists_;
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
  const auto piece = chunk.subspan((chunk.size() - length) / 2 / 8 * 8, length);
  std::size_t best = 0;
  std::uint64_t smallest = 0;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    auto size = trial.packed_alone(recipes[i].transform, piece);
    if (!size) return size.error();
    if (i == 0 || clearly_smaller(*size, smallest, kClearly)) best = i, smallest = *size;
  }
  return best;
}

}  // namespace tdz
