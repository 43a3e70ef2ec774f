// SPDX-License-Identifier: Apache-2.0
// The naive oracle of the step `scale`: the words of FORMAT.md, one number at a time. It shares no code with
// the kernels and is not meant to be fast.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/steps/scale.hpp"

namespace tdz::oracle {

/// Side data as lists. `selector` has one entry for each lane and 1024 of its words, lanes behind one
/// another.
struct ScaleLists {
  std::vector<ScalePair> pair;
  std::vector<std::uint8_t> selector;
  std::vector<bool> hole;           ///< of every word
  std::vector<std::uint64_t> word;  ///< of every hole, in order
};

/// q in place of the words; fills hole and word. Every word equal to `fill` is a hole too.
std::vector<std::uint8_t> scale_forward(const ScaleShape& shape, bool unsigned_words,
                                        std::optional<std::uint64_t> fill, ScaleLists& lists,
                                        std::vector<std::uint8_t> bytes);

/// Nothing where a q is corrupt.
std::optional<std::vector<std::uint8_t>> scale_inverse(const ScaleShape& shape, const ScaleLists& lists,
                                                       std::vector<std::uint8_t> bytes);

}  // namespace tdz::oracle
