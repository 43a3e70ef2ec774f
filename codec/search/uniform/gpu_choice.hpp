// SPDX-License-Identifier: Apache-2.0
// What CompressOptions::gpu chooses: the recipe that a GPU decodes fastest among those that are hardly
// larger.
#pragma once

#include "codec/search/search.hpp"
#include "codec/search/uniform/gpu_frames.hpp"

namespace tdz {

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

inline constexpr unsigned kGpuPerMille = 80, kGpuMostPerMille = 200;

}  // namespace tdz
