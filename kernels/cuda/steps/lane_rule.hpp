// SPDX-License-Identifier: Apache-2.0
// What is undone in one lane, as a device reads it. Plain values, for host and device.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::cuda {

struct DeviceLaneRule {
  static constexpr std::uint16_t kNoSource = 0xFFFF;

  std::uint8_t order = 0;  ///< 0 to 8
  bool zigzag = false;
  bool after = false;     ///< the source joins before the sums, not behind them
  std::uint8_t lag = 0;   ///< 0 or 1
  std::uint16_t source = kNoSource;
  std::uint8_t depth = 0;  ///< sources in a row; a lane comes behind all lanes of less depth
  std::uint8_t unused = 0;

  TDZ_HOST_DEVICE constexpr bool has_source() const { return source != kNoSource; }
};

}  // namespace tdz::cuda
