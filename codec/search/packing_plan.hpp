// SPDX-License-Identifier: Apache-2.0
// The last stage of the search: which packing zstd uses for each plane of a recipe.
#pragma once

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

struct PlannedPacking {
  FramePlan plan;
  std::uint64_t packed_bytes = 0;   ///< of the pieces
  std::uint64_t quickly_packed = 0;  ///< the same with the faster plans alone
};

/// The size with the faster plans alone: those at zstd -1 and those without a search. Errors: those of Trial.
Result<std::uint64_t> quickly_planned_size(const Recipe& recipe, const Pieces& pieces,
                                           std::uint64_t tolerance, Trial& trial);

/// The fastest plan whose result is not larger than that of a slower one, within a tolerance: a faster plan
/// may cost one part in `tolerance` of the size. Each plan is measured by a real packing of the pieces, which
/// together should be as long as a chunk. Slower plans are not tried where the faster ones give clearly more
/// than `other` bytes, what they gave for another recipe. Errors: those of Trial.
Result<PlannedPacking> plan_packing(const Recipe& recipe, const Pieces& pieces, std::uint64_t tolerance,
                                    std::uint64_t other, Trial& trial);

}  // namespace tdz
