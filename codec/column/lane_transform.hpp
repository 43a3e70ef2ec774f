// SPDX-License-Identifier: Apache-2.0
// Zigzag and planes on words that lie lane behind lane: they need not move to the order of the rows and back.
#pragma once

#include <optional>

#include "codec/column/column_words.hpp"
#include "formats/transform.hpp"
#include "kernels/passes.hpp"

namespace tdz {

/// What the transform does to each lane, if it is one pass that treats lanes alike: no difference, and no
/// layout except tuple-planes of this tuple.
std::optional<Pass> pass_of_lane(const Transform& transform, std::uint32_t tuple);

/// Each lane from `in` to its place in `out`.
void forward_lanes(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                   std::span<std::byte> out);
void inverse_lanes(const Pass& pass, const LaneMap& map, std::span<const std::byte> in,
                   std::span<std::byte> out);

}  // namespace tdz
