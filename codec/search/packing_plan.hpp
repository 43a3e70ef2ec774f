// SPDX-License-Identifier: Apache-2.0
// The last stage of the search: how hard zstd looks at each plane of a recipe.
#pragma once

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

/// The cheapest plan that costs (nearly) nothing, judged by packing the pieces, as long together as a chunk
/// should be, in earnest. `tolerance`: one part of the size that a faster packing may cost. Errors: those of
/// trials.
Result<FramePlan> plan_packing(const Transform& transform, const Pieces& pieces, std::uint64_t tolerance,
                               Trial& trial);

}  // namespace tdz
