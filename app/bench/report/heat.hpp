// SPDX-License-Identifier: Apache-2.0
// The colour scale of every heat map: ten steps of viridis. People who see no red or no green can tell them
// apart, and so can a reader of a print in grey. page.html has the same scale. Pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tdz::app::bench {

struct HeatColour {
  std::string_view hex;   ///< as page.html has it
  std::uint8_t terminal;  ///< the nearest of a terminal's 256 colours
  bool light;             ///< text on it is black, otherwise white
};

inline constexpr std::array<HeatColour, 10> kHeat{{{"#440154", 53, false},
                                                   {"#482878", 54, false},
                                                   {"#3e4989", 55, false},
                                                   {"#31688e", 25, false},
                                                   {"#26828e", 31, true},
                                                   {"#1f9e89", 36, true},
                                                   {"#35b779", 71, true},
                                                   {"#6ece58", 77, true},
                                                   {"#b5de2b", 148, true},
                                                   {"#fde725", 220, true}}};

struct Scale {
  double least = 0;
  double most = 1;
};

/// The step of a value. The last step if all values are the same.
inline std::size_t heat_step(double value, const Scale& scale) {
  if (!(scale.most > scale.least)) return kHeat.size() - 1;
  const double share = (value - scale.least) / (scale.most - scale.least);
  if (!(share > 0)) return 0;
  return share >= 1 ? kHeat.size() - 1 : static_cast<std::size_t>(share * static_cast<double>(kHeat.size()));
}

/// Widens the scale so that it spans a measured value. An empty scale has least above most.
inline void widen(Scale& scale, double value) {
  if (!std::isfinite(value) || value <= 0) return;
  scale.least = std::min(scale.least, value);
  scale.most = std::max(scale.most, value);
}

}  // namespace tdz::app::bench
