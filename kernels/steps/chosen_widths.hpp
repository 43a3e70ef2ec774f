// SPDX-License-Identifier: Apache-2.0
// Which widths a chunk of packed groups has, from how many groups need each one: the same on the CPU and on a
// device. FORMAT.md, section 3, `packed`.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz {

inline constexpr unsigned kMostWidthCount = 65;  ///< 0 to 64 bits
/// With more groups than this, 16 bytes of widths weigh nothing, and what follows them need not move.
inline constexpr std::uint32_t kFewGroups = 1024;

/// At most kMost different widths. While there are more, the one goes whose groups cost the fewest bits when
/// they take the next wider one; of equals the smallest.
class ChosenWidths {
 public:
  static constexpr unsigned kMost = 16;

  /// `counts`: groups by the width that they need; `bits`: of a word. With more than kFewGroups `groups`
  /// there are kMost widths, as far as words have them, also some that no group has.
  TDZ_HOST_DEVICE ChosenWidths(const std::uint32_t (&counts)[kMostWidthCount], unsigned bits,
                               std::uint32_t groups) {
    unsigned used = 0;
    for (unsigned w = 0; w <= bits; ++w) used += counts[w] != 0 ? 1 : 0;
    unsigned unused = groups > kFewGroups && used < kMost ? kMost - used : 0;
    for (unsigned w = 0; w <= bits; ++w) {
      if (counts[w] == 0 && unused == 0) continue;
      if (counts[w] == 0) --unused;
      width_[count_] = static_cast<std::uint8_t>(w);
      groups_[count_++] = counts[w];
    }
    while (count_ > kMost) drop_cheapest();
  }

  TDZ_HOST_DEVICE unsigned count() const { return count_; }
  /// Number `i` of the widths, which ascend.
  TDZ_HOST_DEVICE std::uint8_t operator[](unsigned i) const { return width_[i]; }
  /// Writes the code of the groups that need each width. No group needs more than the last width.
  TDZ_HOST_DEVICE void list_codes(std::uint8_t (&codes)[kMostWidthCount]) const {
    unsigned code = 0;
    for (unsigned w = 0; w < kMostWidthCount; ++w) {
      while (code + 1 < count_ && width_[code] < w) ++code;
      codes[w] = static_cast<std::uint8_t>(code);
    }
  }

 private:
  TDZ_HOST_DEVICE void drop_cheapest() {
    unsigned cheapest = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (unsigned i = 0; i + 1 < count_; ++i) {
      const std::uint64_t cost = std::uint64_t{groups_[i]} * (width_[i + 1] - width_[i]);
      if (cost < least) cheapest = i, least = cost;
    }
    groups_[cheapest + 1] += groups_[cheapest];
    for (unsigned i = cheapest; i + 1 < count_; ++i) groups_[i] = groups_[i + 1], width_[i] = width_[i + 1];
    --count_;
  }

  std::uint32_t groups_[kMostWidthCount];
  std::uint8_t width_[kMostWidthCount];
  unsigned count_ = 0;
};

}  // namespace tdz
