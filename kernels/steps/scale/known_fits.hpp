// SPDX-License-Identifier: Apache-2.0
// The fits of samples: the trials of a search ask for the same ones again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/digest.hpp"
#include "kernels/steps/scale/fit_scale.hpp"

namespace tdz {

/// Keeps the last few fits. Used by one thread.
class KnownFits {
 public:
  /// As fit_scale(). Words are known by their digest: they may lie elsewhere, or others in the same place.
  ScaleFit fit(const ScaleShape& shape, const ScalePlan& plan, std::span<const std::byte> words);

 private:
  struct Known {
    formats::Digest128 digest{};
    std::size_t bytes = 0;  ///< 0: nothing is known here
    ScaleShape shape;
    ScalePlan plan;
    ScaleFit fit;
  };
  static constexpr std::size_t kMost = 64;  ///< 8 samples, and a few plans of each

  std::array<Known, kMost> known_;
  std::size_t oldest_ = 0;
};

}  // namespace tdz
