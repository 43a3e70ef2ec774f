// SPDX-License-Identifier: Apache-2.0
// Which of a plan's pairs serves each lane and 1024 words of a chunk; where none does, the chunk is asked
// itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/digest.hpp"
#include "formats/steps/scale.hpp"
#include "kernels/scale.hpp"

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

/// The fits of samples, the last few: the trials of a search ask for the same ones again and again. Used by
/// one thread.
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
