// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

namespace tdz::app::bench {

/// The first place where the bytes differ, or nothing. Precondition: both have the same length.
inline std::optional<std::size_t> first_difference(std::span<const std::byte> expected,
                                                   std::span<const std::byte> found) {
  const auto place = std::ranges::mismatch(expected, found).in1;
  if (place == expected.end()) return std::nullopt;
  return static_cast<std::size_t>(place - expected.begin());
}

}  // namespace tdz::app::bench
