// SPDX-License-Identifier: Apache-2.0
// Which of a plan's pairs serves each lane and 1024 words of a chunk; where none does, the chunk is asked
// itself.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "formats/steps/scale.hpp"
#include "kernels/scale.hpp"
#include "kernels/steps/scale/detect_scale.hpp"

namespace tdz {

/// The decisions for one chunk; choice() refers to it.
struct ScaleFit {
  std::vector<ScalePair> pairs;      ///< those in use, at most 16
  std::vector<std::byte> selectors;  ///< if there are two pairs or more
  std::optional<std::uint64_t> fill;
  bool unsigned_words = false;

  ScaleChoice choice() const { return {pairs, selectors, fill, unsigned_words}; }
};

/// Depends on the chunk and the plan alone. May throw std::bad_alloc.
ScaleFit fit_scale(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> chunk);

}  // namespace tdz
