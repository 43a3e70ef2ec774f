// SPDX-License-Identifier: Apache-2.0
#include "codec/search/uniform/gpu_choice.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/search.hpp"
#include "codec/search/stored_size.hpp"
#include "codec/stream/options.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/stream/limits.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz {
namespace {

/// A proposal is made on a few stretches, where it may cost more: what is stored decides.
constexpr unsigned kPerMilleOnStretches = 300;
/// All of a shorter input is coded to compare.
constexpr std::uint64_t kWhole = 16u << 20;
constexpr Stretches kOfLonger{4, 2u << 20};

/// Whether the kernel that decodes tokens undoes all steps.
bool is_of_one_kernel(const Plan& plan) {
  return std::ranges::all_of(plan.columns, [](const Column& column) {
    return std::ranges::all_of(column.steps, [](const PlanStep& step) {
      const auto* difference = std::get_if<DifferenceStep>(&step);
      if (difference != nullptr)
        return difference->run != 0 && difference->order <= uniform::kHighestFusedOrder;
      return is_layout(step) || std::holds_alternative<ZigzagStep>(step);
    });
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

Result<GpuRecipe> fastest_on_gpu(const SearchInput& input, const CompressOptions& settled,
                                 const Recipe& rival, const GpuFrames& wish) {
  return GpuChoice(input, settled, rival, wish).run();
}

}  // namespace tdz
