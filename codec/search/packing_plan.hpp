// SPDX-License-Identifier: Apache-2.0
// The last stage of the search: which packing zstd uses for each plane of a recipe.
#pragma once

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

struct PlannedPacking {
  FramePlan plan;
  std::uint64_t packed_bytes = 0;  ///< of the pieces
};

/// The fastest plan whose result is not larger than that of a slower one, within a tolerance: a faster plan
/// may cost one part in `tolerance` of the size. Each plan is measured by a real packing of the pieces, which
/// together should be as long as a chunk. Errors: those of Trial.
Result<PlannedPacking> plan_packing(const Recipe& recipe, const Pieces& pieces, std::uint64_t tolerance,
                               Trial& trial);

}  // namespace tdz
