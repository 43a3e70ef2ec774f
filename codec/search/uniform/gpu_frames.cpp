// SPDX-License-Identifier: Apache-2.0
#include "codec/search/uniform/gpu_frames.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/step_proposals.hpp"
#include "codec/search/search.hpp"
#include "codec/search/stored_size.hpp"
#include "codec/search/uniform/uniform_columns.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_rules.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/stream/chunk.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/float_environment.hpp"
#include "kernels/steps/any_width.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz {
namespace {

constexpr std::size_t kStretches = 3;
constexpr std::uint32_t kStretch = 1u << 20, kLongestChunk = 4u << 20;
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 40;
constexpr std::size_t kEstimated = 768u << 10;  // bytes on which token codes are compared
constexpr std::uint32_t kGroup = 8;             // blocks that share a tree
/// Parts of 1000: where a stretch costs so much more than it may, the others hardly make good for it.
constexpr unsigned kHopelessStretch = 30;

std::uint64_t size_of(const EncodedChunk& chunk) {
  return formats::serialize(chunk.record).size() + chunk.packed.size();
}

/// The plan with each column's layout left out, and one column in place of its own.
Plan bare_with(const Plan& plan, std::size_t c, const Column& column) {
  Plan bare = plan;
  bare.coding = Coding::zstd;
  for (Column& other : bare.columns) other.steps.clear();
  bare.columns[c] = column;
  return bare;
}

/// The drafts that are tried for the columns of a plan; none if a column has none.
using Drafts = std::vector<std::vector<UniformDraft>>;

bool has_tokens(const Column& column) {
  return !column.steps.empty() && std::holds_alternative<TokensStep>(column.steps.back());
}

Drafts drafts_of(const Plan& plan, const GpuFrames& wish) {
  Drafts drafts;
  if (has_no_steps(plan)) return drafts;
  if (!wish.other_layouts && !std::ranges::all_of(plan.columns, has_tokens)) return drafts;
  for (const Column& column : plan.columns) {
    drafts.push_back(uniform_drafts(column, wish.order_may_change));
    if (drafts.back().empty()) return {};
  }
  return drafts;
}

/// The bytes after which no lane has a remainder. All drafts of a column have the same tuple.
std::uint64_t unit_of(const Plan& plan, const Drafts& drafts) {
  Plan any = plan;
  any.coding = Coding::uniform;
  for (std::size_t c = 0; c < drafts.size(); ++c) any.columns[c] = with_tokens(drafts[c].front(), {});
  return uniform_unit(any, kNoLimit);
}

class Conversion {
 public:
  Conversion(RandomAccess& input, std::uint64_t offset, const GpuFrames& wish, int level)
      : input_(input),
        offset_(offset),
        wish_(wish),
        longest_(wish.chunk_bytes != 0 ? wish.chunk_bytes : kLongestChunk),
        trial_(level),
        encoder_(level) {}

  Result<std::vector<Recipe>> run(std::vector<Recipe> recipes) {
    find_units(recipes);
    if (std::ranges::all_of(units_, [](auto unit) { return unit == 0; })) return recipes;
    if (auto done = take_stretches(); !done) return done.error();
    if (recipes.size() > 1) {
      if (auto done = size_recipes(recipes); !done) return done.error();
    }
    std::vector<Recipe> result = recipes;
    for (std::size_t i = 0; i < recipes.size(); ++i) {
      if (units_[i] == 0) continue;
      auto other = converted(recipes[i], i, recipes[i]);
      if (!other) return other.error();
      if (*other) result[i] = *std::move(*other);
    }
    return result;
  }

  /// Compared with another recipe.
  Result<std::optional<Recipe>> run_against(const Recipe& rival, const Recipe& recipe) {
    find_units({recipe});
    if (units_.front() == 0) return std::optional<Recipe>();
    if (auto done = take_stretches(); !done) return done.error();
    return converted(recipe, 0, rival);
  }

 private:
  /// 0 where there is nothing to try: plain bytes, or rows too long for a chunk.
  void find_units(const std::vector<Recipe>& recipes) {
    for (const Recipe& recipe : recipes) {
      drafts_.push_back(drafts_of(recipe.plan, wish_));
      const std::uint64_t unit = drafts_.back().empty() ? 0 : unit_of(recipe.plan, drafts_.back());
      const bool fits = unit <= longest_ && unit <= input_.size() - std::min(offset_, input_.size());
      units_.push_back(fits ? unit : 0);
    }
  }

  /// As long as a chunk, where that is not too long.
  Status take_stretches() {
    const std::uint64_t longest_unit = *std::ranges::max_element(units_);
    const auto length = std::max<std::uint64_t>(std::min(longest_, kStretch), longest_unit);
    auto samples = take_samples(input_, offset_, kStretches, static_cast<std::size_t>(length));
    if (!samples) return samples.error();
    samples_ = *std::move(samples);
    return ok();
  }

  /// Whole tuples of a stretch, and whole blocks of all lanes if it holds some.
  std::span<const std::byte> stretch(const Plan& plan, std::size_t number, std::uint64_t unit) const {
    const auto whole = aligned(samples_, {samples_.pieces[number]}, tuple_bytes(plan)).front();
    return unit == 0 || whole.size() < unit ? whole : whole.first(whole.size() / unit * unit);
  }

  Result<std::uint64_t> coded_size(const Recipe& recipe, std::span<const std::byte> stretch) {
    const auto frame = static_cast<std::uint32_t>(std::max<std::size_t>(stretch.size(), formats::kMinFrame));
    if (auto done = encoder_.encode(stretch, recipe, frame, encoded_); !done) return done.error();
    return size_of(encoded_);
  }

  Status size_recipes(const std::vector<Recipe>& recipes) {
    for (std::size_t i = 0; i < recipes.size(); ++i) {
      sizes_.emplace_back();
      for (std::size_t s = 0; s < samples_.pieces.size(); ++s) {
        auto size = coded_size(recipes[i], stretch(recipes[i].plan, s, units_[i]));
        if (!size) return size.error();
        sizes_.back().push_back(*size);
      }
    }
    return ok();
  }

  /// The stretches that this recipe suits best; all, if it suits none best, or there is no other.
  std::vector<std::size_t> stretches_of(std::size_t recipe) const {
    std::vector<std::size_t> own, all;
    for (std::size_t s = 0; s < samples_.pieces.size(); ++s) {
      all.push_back(s);
      if (sizes_.empty()) continue;
      const auto best = std::ranges::min_element(sizes_, {}, [&](const auto& sizes) { return sizes[s]; });
      if (static_cast<std::size_t>(best - sizes_.begin()) == recipe) own.push_back(s);
    }
    return own.empty() ? all : own;
  }

  /// Nothing, if that costs more than the rival.
  Result<std::optional<Recipe>> converted(const Recipe& recipe, std::size_t number, const Recipe& rival) {
    const auto stretches = stretches_of(number);
    const auto stretch_of = [&](std::size_t s) { return stretch(recipe.plan, s, units_[number]); };
    Pieces pieces;
    for (const std::size_t s : stretches) pieces.push_back(stretch_of(s));
    const Pieces first = first_of(pieces, kEstimated / stretches.size());
    // Quick orders first; then, where these cost too much, any.
    for (unsigned order_per_cent = wish_.order_per_cent;; order_per_cent = 0) {
      auto other = proposal(recipe, drafts_[number], first, order_per_cent);
      if (!other) return other.error();
      if (!formats::check(other->plan)) return std::optional<Recipe>();
      auto taken = if_cheap(*std::move(other), number, rival, stretches);
      if (!taken || *taken || order_per_cent == 0) return taken;
    }
  }

  /// `other`, coded on these stretches, or nothing if that costs more.
  Result<std::optional<Recipe>> if_cheap(Recipe other, std::size_t number, const Recipe& rival,
                                         const std::vector<std::size_t>& stretches) {
    const std::optional<Recipe> none;
    const auto stretch_of = [&](std::size_t s) { return stretch(other.plan, s, units_[number]); };
    std::uint64_t usual = 0, uniform = 0;
    for (const std::size_t s : stretches) {
      const auto theirs = stretch(rival.plan, s, 0);  // may begin at another tuple
      auto usual_size = coded_size(rival, theirs.first(std::min(theirs.size(), stretch_of(s).size())));
      if (!usual_size) return usual_size.error();
      auto size = coded_size(other, stretch_of(s));
      if (!size) return size.error();
      usual += *usual_size;
      uniform += *size;
      const std::uint64_t most = usual * (1000 + wish_.per_mille + kHopelessStretch) / 1000;
      if (!wish_.all_stretches && uniform > most) return none;
    }
    if (uniform > usual * (1000 + wish_.per_mille) / 1000) return none;
    return std::optional(std::move(other));
  }

  /// The recipe with the draft of each column whose tokens are cheapest.
  Result<Recipe> proposal(const Recipe& recipe, const Drafts& drafts, const Pieces& pieces,
                          unsigned order_per_cent) {
    Recipe other = recipe;
    other.plan.coding = Coding::uniform;
    other.plan.packing.code_limit = wish_.code_limit;
    for (std::size_t c = 0; c < drafts.size(); ++c) {
      std::uint64_t fewest = UINT64_MAX;
      for (const UniformDraft& draft : drafts[c]) {
        auto words = words_of(recipe, c, draft, pieces);
        if (!words) return words.error();
        const TokenProposal tokens = tokens_of(draft, *words);
        const std::uint64_t bytes = tokens.bytes * (100 + (draft.quick ? 0 : order_per_cent)) / 100;
        if (bytes >= fewest) continue;
        fewest = bytes;
        other.plan.columns[c] = with_tokens(draft, tokens.code);
      }
    }
    return other;
  }

  /// The words of one column of all pieces behind the steps of a draft.
  Result<std::vector<std::byte>> words_of(const Recipe& recipe, std::size_t c, const UniformDraft& draft,
                                          const Pieces& pieces) {
    std::vector<std::byte> words;
    const Plan bare = bare_with(recipe.plan, c, draft.column);
    for (const auto piece : pieces) {
      auto coded = trial_.substreams(bare, piece, recipe.hints);
      if (!coded) return coded.error();
      const auto own = column_words(bare, c, *coded, piece.size());
      words.insert(words.end(), own.begin(), own.end());
    }
    return words;
  }

  static std::span<const std::byte> column_words(const Plan& plan, std::size_t c, const Substreams& coded,
                                                 std::size_t original) {
    const auto expected = formats::substreams(plan, original);
    std::size_t at = 0;
    for (std::size_t i = 0; i < expected.size(); at += coded.lengths[i++])
      if (expected[i].column == c && expected[i].role == formats::SubstreamRole::words)
        return coded.bytes.subspan(at, coded.lengths[i]);
    return {};
  }

  static TokenProposal tokens_of(const UniformDraft& draft, std::span<const std::byte> packed) {
    const std::uint8_t width = draft.column.width;
    const LaneMap map = LaneMap::of_width(width, draft.tuple, packed.size() / width);
    std::vector<std::byte> wide(map.words * map.word);
    widen_portable(width, octets(packed), octets(std::span(wide)), map.words);
    return best_tokens(map, octets(std::span<const std::byte>(wide)));
  }

  RandomAccess& input_;
  std::uint64_t offset_;
  const GpuFrames& wish_;
  const std::uint32_t longest_;
  Trial trial_;
  ChunkEncoder encoder_;
  EncodedChunk encoded_;
  Samples samples_;
  std::vector<Drafts> drafts_;                     // of each recipe
  std::vector<std::uint64_t> units_;               // of each recipe
  std::vector<std::vector<std::uint64_t>> sizes_;  // of each recipe, by stretch
};

}  // namespace

std::uint32_t chunk_of_blocks(const Plan& plan, std::uint32_t wanted) {
  const std::uint64_t unit = uniform_unit(plan, kNoLimit), longest = std::max(wanted, kLongestChunk);
  for (const std::uint64_t step : {kGroup * unit, unit}) {
    const std::uint64_t length = (wanted + step - 1) / step * step;
    if (plan.coding == Coding::uniform && length <= longest) return static_cast<std::uint32_t>(length);
  }
  return wanted;
}

Result<std::vector<Recipe>> with_gpu_frames(RandomAccess& input, std::uint64_t offset,
                                            std::vector<Recipe> recipes, const GpuFrames& wish, int level) {
  const FloatEnvironment usual;
  const auto plain = [](const Recipe& recipe) { return has_no_steps(recipe.plan); };
  if (std::ranges::all_of(recipes, plain)) return recipes;
  return Conversion(input, offset, wish, level).run(std::move(recipes));
}

Result<std::optional<Recipe>> gpu_frames_against(RandomAccess& input, std::uint64_t offset,
                                                 const Recipe& rival, const Recipe& recipe,
                                                 const GpuFrames& wish, int level) {
  const FloatEnvironment usual;
  return Conversion(input, offset, wish, level).run_against(rival, recipe);
}

// ---- The choice for a GPU

namespace {

/// A proposal is made on a few stretches, where it may cost more: what is stored decides.
constexpr unsigned kPerMilleOnStretches = 300;
/// All of a shorter input is coded to compare.
constexpr std::uint64_t kWhole = 16u << 20;
constexpr Stretches kOfLonger{4, 2u << 20};

/// Whether the kernel that decodes tokens undoes this step too.
bool is_of_one_kernel(const PlanStep& step) {
  if (const auto* difference = std::get_if<DifferenceStep>(&step))
    return difference->run != 0 && difference->order <= uniform::kHighestFusedOrder;
  return is_layout(step) || std::holds_alternative<ZigzagStep>(step);
}
bool is_of_one_kernel(const Plan& plan) {
  return std::ranges::all_of(plan.columns, [](const Column& column) {
    return std::ranges::all_of(column.steps, [](const PlanStep& step) { return is_of_one_kernel(step); });
  });
}

class GpuChoice {
 public:
  GpuChoice(const SearchInput& input, const CompressOptions& settled, const Recipe& rival, GpuFrames wish)
      : input_(input), settled_(settled), rival_(rival), wish_(wish) {
    wish_.per_mille = kPerMilleOnStretches;
  }

  Result<GpuRecipe> run() {
    const auto usual = size_of(rival_);
    if (!usual) return usual.error();
    auto chosen = choose(*usual);
    if (!chosen) return chosen.error();
    const auto more = static_cast<double>(chosen->size) - static_cast<double>(*usual);
    return GpuRecipe{std::move(chosen->recipe), *usual == 0 ? 0 : more / static_cast<double>(*usual)};
  }

 private:
  struct Sized {
    Recipe recipe;
    std::uint64_t size = 0;
  };
  using Taken = Result<std::optional<Sized>>;

  Result<Sized> choose(std::uint64_t usual) {
    limit_ = usual * (1000 + kGpuPerMille) / 1000;
    // A CPU has decoded a shorter input before a device has begun.
    const bool is_short = input_.input.size() < formats::kMinChunk;
    too_large_ = is_short ? limit_ : usual * (1000 + kGpuMostPerMille) / 1000 + 1;
    auto taken = packed();
    if (!taken) return taken.error();
    if (*taken) return **std::move(taken);
    auto own = as_frames(rival_);
    if (!own) return own.error();
    if (*own && is_of_one_kernel((*own)->recipe.plan)) return **std::move(own);
    taken = plain_words();
    if (!taken) return taken.error();
    if (*taken) return **std::move(taken);
    if (*own) return **std::move(own);
    return small_enough_ ? *std::move(small_enough_) : Sized{rival_, usual};
  }

  Result<std::uint64_t> size_of(const Recipe& recipe) {
    CompressOptions options = settled_;
    options.plan = recipe.plan;
    const std::uint32_t usual = chunk_bytes(options);
    if (options.chunk_bytes == 0) options.chunk_bytes = chunk_of_blocks(recipe.plan, usual);
    const std::vector<Recipe> recipes{recipe};
    return stored_size(input_.input, {options, recipes, 0},
                       input_.input.size() <= kWhole ? Stretches{} : kOfLonger);
  }
  /// The recipe, if it is hardly larger than the rival. The smallest of those that are larger is kept for the
  /// end.
  Taken if_small(Recipe recipe) {
    const auto size = size_of(recipe);
    if (!size) return size.error();
    if (*size <= limit_) return std::optional(Sized{std::move(recipe), *size});
    if (*size < (small_enough_ ? small_enough_->size : too_large_))
      small_enough_ = Sized{std::move(recipe), *size};
    return std::optional<Sized>();
  }
  Taken as_frames(const Recipe& steps) {
    auto made = gpu_frames_against(input_.input, settled_.raw_prefix, rival_, steps, wish_, settled_.level);
    if (!made) return made.error();
    if (!*made) return std::optional<Sized>();
    return if_small(**std::move(made));
  }

  Taken packed() {
    if (!settled_.search->fields.empty()) return std::optional<Sized>();
    auto found = search_packed(input_, settled_.raw_prefix, *settled_.search, true);
    if (!found) return found.error();
    Recipe& recipe = found->recipes.front();
    if (!cuda::is_packed_for_device(recipe.plan)) return std::optional<Sized>();
    return if_small(std::move(recipe));
  }

  /// As wide as may be, in the tuple of the rival and alone. Not where the caller says what the numbers are.
  Taken plain_words() {
    const SearchOptions& asked = *settled_.search;
    const bool is_told = asked.word || asked.tuple || asked.order || asked.row || asked.zigzag ||
                         asked.big_endian || !asked.fields.empty();
    if (is_told) return std::optional<Sized>();
    const std::size_t row = tuple_bytes(rival_.plan);
    for (const unsigned word : {8u, 4u, 2u, 1u}) {
      const std::size_t tuple = row % word == 0 ? row / word : 1;
      for (const std::size_t lanes : {tuple, std::size_t{1}}) {
        if (lanes > kMaxSideTuple) continue;
        const auto own = static_cast<std::uint32_t>(lanes);
        const Column column{static_cast<std::uint8_t>(word),
                            1,
                            {DifferenceStep{own, 1}, ZigzagStep{}, TokensStep{own, {}, 0}}};
        auto taken = as_frames(Recipe{formats::plan_of(column), {}, rival_.packing});
        if (!taken || *taken) return taken;
        if (tuple == 1) break;
      }
    }
    return std::optional<Sized>();
  }

  const SearchInput& input_;
  const CompressOptions& settled_;
  const Recipe& rival_;
  GpuFrames wish_;
  std::uint64_t limit_ = 0, too_large_ = 0;  ///< set by choose()
  std::optional<Sized> small_enough_;        ///< larger than the limit, but the smallest of those tried
};

}  // namespace

// ---- The model of a GPU

namespace {

// Milliseconds for 1 GiB of values.
constexpr double kGroups = 0.5, kBits = 0.5;           // packed groups; their bits, by the ratio
constexpr double kLanesOfGroups = 0.15, kSums = 0.25;  // several lanes; without runs
constexpr double kShortWords = 0.2;                    // groups of bytes
constexpr double kBlocks = 1.1;                        // frames for a GPU
constexpr double kOf24Bits = 1.2, kManyLanes = 1.3;    // in addition
constexpr double kScalePass = 1.3, kPredictPass = 1.2, kLanesPass = 1.5, kOtherPass = 1.0;
constexpr double kLongRows = 0.8, kShortRows = 2.3;
constexpr double kDigests = 0.4;  // unless what makes the values sums them
constexpr std::uint32_t kManyLanesFrom = 16;

bool is_of_long_rows(const PlanStep& step, std::uint8_t width) {
  const auto* rows = std::get_if<DifferenceStep>(&step);
  return rows != nullptr && cuda::is_of_rows(*rows) && rows->order == 1 &&
         std::uint64_t{rows->tuple} * width >= cuda::xxh3::kBlock;
}

double time_of_pass(const PlanStep& step, std::uint8_t width) {
  if (is_of_long_rows(step, width)) return kLongRows;
  if (const auto* rows = std::get_if<DifferenceStep>(&step); rows != nullptr && cuda::is_of_rows(*rows))
    return kShortRows;
  if (std::holds_alternative<ScaleStep>(step)) return kScalePass;
  if (std::holds_alternative<PredictStep>(step)) return kPredictPass;
  return std::holds_alternative<LanesStep>(step) ? kLanesPass : kOtherPass;
}

double time_of_groups(const Column& column, double ratio) {
  const cuda::PackedTail tail = cuda::packed_tail(column);
  double time = kGroups + kBits / ratio;
  if (tail.steps.tuple > 1) time += kLanesOfGroups;
  if (tail.steps.order > 0 && tail.steps.run == 0) time += kSums;
  if (column.width == 1) time += kShortWords;
  for (std::size_t s = 0; s < tail.before; ++s) time += time_of_pass(column.steps[s], column.width);
  const bool sums = tail.before == 0 || is_of_long_rows(column.steps.front(), column.width);
  return sums ? time : time + kDigests;
}

double time_of_frames(const Column& column) {
  double time = kBlocks;
  if (column.width == 3) time += kOf24Bits;
  if (!column.steps.empty() && tuple_of(column.steps.back()) >= kManyLanesFrom) time += kManyLanes;
  for (const PlanStep& step : column.steps)
    if (!is_of_one_kernel(step)) time += time_of_pass(step, column.width);
  const bool sums = !column.steps.empty() && is_of_long_rows(column.steps.front(), column.width);
  return sums ? time : time + kDigests;
}

}  // namespace

std::optional<double> gpu_speed(const Plan& plan, double ratio) {
  constexpr double kGibInMb = 1073.741824;
  double time = 0;
  if (cuda::is_packed_for_device(plan)) {
    time = time_of_groups(plan.columns.front(), ratio);
  } else if (plan.coding == Coding::uniform) {
    for (const Column& column : plan.columns)
      time += time_of_frames(column) * static_cast<double>(row_bytes(column)) /
              static_cast<double>(row_bytes(plan));
  } else {
    return {};
  }
  return kGibInMb / time;
}

Result<GpuRecipe> fastest_on_gpu(const SearchInput& input, const CompressOptions& settled,
                                 const Recipe& rival, const GpuFrames& wish) {
  return GpuChoice(input, settled, rival, wish).run();
}

}  // namespace tdz
