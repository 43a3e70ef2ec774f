// SPDX-License-Identifier: Apache-2.0
// Frames that a GPU can enter everywhere, in place of zstd's own: FORMAT.md, section 4. They hold no repeats
// and a little more beside the numbers, so they are taken only where they cost little. And what
// CompressOptions::gpu chooses: the recipe that a GPU decodes fastest among those that are hardly larger.
#pragma once

#include <optional>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/search.hpp"
#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// What frames for a GPU may cost, and how they are made.
struct GpuFrames {
  unsigned per_mille = 10;      ///< more than the frames that would be taken otherwise
  unsigned order_per_cent = 0;  ///< orders that take a pass of their own must save more than this
  std::uint8_t code_limit = 0;  ///< of PackOptions
  /// False: only in place of tokens. A CPU decodes planes, most of them stored as they are, more quickly.
  bool other_layouts = true;
  bool order_may_change = true;
  /// Judge on all stretches together, however much one of them costs: where repeats fill a stretch, as the
  /// sea does in a relief, frames for a GPU are several times larger, but few bytes.
  bool all_stretches = false;
  std::uint32_t chunk_bytes = 0;  ///< the longest chunk, if the caller set it
};

/// Each recipe, or one with the same steps and uniform blocks where these cost no more than allowed. Both are
/// coded whole, on stretches of `input` from `offset` on. Errors: those of read_at and of the coders.
Result<std::vector<Recipe>> with_gpu_frames(RandomAccess& input, std::uint64_t offset,
                                            std::vector<Recipe> recipes, const GpuFrames& wish, int level);

/// A recipe with the steps of `recipe` and uniform blocks, where these cost no more than `rival` and what is
/// allowed; otherwise nothing. Errors as above.
Result<std::optional<Recipe>> gpu_frames_against(RandomAccess& input, std::uint64_t offset,
                                                 const Recipe& rival, const Recipe& recipe,
                                                 const GpuFrames& wish, int level);

/// The length of a chunk whose lanes have no remainder: at least `wanted`, in whole groups of 8 blocks, if
/// that is no more than 4 MiB. A plan without uniform blocks, or whose rows need longer chunks: `wanted`.
std::uint32_t chunk_of_blocks(const Plan& plan, std::uint32_t wanted);

// ---- The choice for a GPU

/// A choice, and the part of the rival's size by which it is larger.
struct GpuRecipe {
  Recipe recipe;
  double larger = 0;
};

/// The first of these that is at most kGpuPerMille larger than `rival`, the steps that were found, as they
/// would be stored: packed groups in runs, which are decoded at twice the speed of tokens; frames for a GPU
/// that one kernel decodes, with the steps of `rival` or of plain words; frames for a GPU with the steps of
/// `rival`, each step a pass over the values (docs/performance.md has the speeds). If none is, the smallest
/// of those tried, if it is at most kGpuMostPerMille larger: a CPU takes far longer for general frames than a
/// GPU for any of these. Otherwise `rival` itself. `settled`: raw_prefix, type and level are settled. Errors:
/// those of reading and of the coders.
Result<GpuRecipe> fastest_on_gpu(const SearchInput& input, const CompressOptions& settled,
                                 const Recipe& rival, const GpuFrames& wish);

/// How fast one NVIDIA H100 decodes packed groups or frames for a GPU of this plan, from device memory to
/// device memory with digests: GB of values a second, by a model. Nothing: neither. `ratio`: original by
/// packed bytes. The model is a sum over the passes, fitted to the tables of docs/performance.md, and within
/// a quarter of each of them.
std::optional<double> gpu_speed(const Plan& plan, double ratio);

inline constexpr unsigned kGpuPerMille = 80, kGpuMostPerMille = 200;

}  // namespace tdz
