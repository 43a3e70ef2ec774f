// SPDX-License-Identifier: Apache-2.0
// The last stage of the search: which packing zstd uses for each plane of a recipe.
#pragma once

#include <optional>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

struct PlannedPacking {
  FramePlan plan;
  std::uint64_t packed_bytes = 0;    ///< of the pieces
  std::uint64_t quickly_packed = 0;  ///< the same with the faster plans alone
};

/// What other recipes gave. `alike` is the first one with the same layout.
struct PackedBefore {
  std::uint64_t quickest = UINT64_MAX / 2;  ///< the smallest size with the faster plans alone
  std::uint64_t smallest = UINT64_MAX / 2;
  std::optional<PlannedPacking> alike{};

  /// Slower plans save about as much as they saved where the layout is the same. Nothing alike: 0.
  std::uint64_t expected(std::uint64_t quickly_packed) const {
    return alike ? quickly_packed * alike->packed_bytes / alike->quickly_packed : 0;
  }
};

/// The size with the faster plans alone: those at zstd -1 and those without a search. Errors: those of Trial.
Result<std::uint64_t> quickly_planned_size(const Recipe& recipe, const Pieces& pieces,
                                           std::uint64_t tolerance, Trial& trial);

/// The fastest plan whose result is not larger than that of a slower one, within a tolerance: a faster plan
/// may cost one part in `tolerance` of the size. Each plan is measured by a real packing of the pieces, which
/// together should be as long as a chunk. Slower plans are not tried where the faster ones give clearly more
/// than those for another recipe, or where no slower plan is expected to become the smallest. Errors: those
/// of Trial.
Result<PlannedPacking> plan_packing(const Recipe& recipe, const Pieces& pieces, std::uint64_t tolerance,
                                    const PackedBefore& before, Trial& trial);

}  // namespace tdz
