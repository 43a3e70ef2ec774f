// SPDX-License-Identifier: Apache-2.0
// What is left of the step `lanes` where every lane has been integrated by itself, and its source is added
// after that, at no lag: a word is the sum of the words of its row in its own lane, in the lane's source, in
// the source of that one, and so on. Plain values, for host and device.
#pragma once

#include <cstdint>

#include "kernels/cuda/steps/step_batch.hpp"

namespace tdz::cuda {

/// The most lanes of which a launch adds all sources at once.
inline constexpr std::uint32_t kMostJoinedLanes = 8;

struct LaneSources {
  std::uint32_t lanes = 1;                    ///< 1: nothing is added
  std::uint8_t added[kMostJoinedLanes] = {};  ///< of each lane: a bit for each other lane that is added

  TDZ_HOST_DEVICE constexpr bool adds(std::uint32_t lane, std::uint32_t other) const {
    return (added[lane] >> other & 1) != 0;
  }
};

}  // namespace tdz::cuda
