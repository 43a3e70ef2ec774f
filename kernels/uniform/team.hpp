// SPDX-License-Identifier: Apache-2.0
// Who builds a tree: one thread of a CPU, or a warp of a device. Functions for both take a team and share its
// loops: `for (i = team.rank(); i < n; i += team.size())`. All threads of a team call the same functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::uniform {

/// Threads of a team that have the same value: all, and those of a lower rank.
struct Equals {
  unsigned before, all;
};

/// The team of one. A team of more threads has the same members.
struct OneThread {
  static constexpr bool kAlone = true;

  static constexpr unsigned rank() { return 0; }
  static constexpr unsigned size() { return 1; }
  /// What was written before is seen behind it.
  static void sync() {}
  static std::uint32_t sum(std::uint32_t of_each) { return of_each; }
  /// Of the threads of a lower rank.
  static std::uint32_t sum_before(std::uint32_t) { return 0; }
  static std::uint32_t largest(std::uint32_t of_each) { return of_each; }
  static constexpr Equals equals(std::uint32_t) { return {0, 1}; }
  /// For places that several threads may change at once.
  static void add(std::uint32_t& to, std::uint32_t value) { to += value; }
  static void set_bits(std::uint32_t& in, std::uint32_t bits) { in |= bits; }

  /// At most 256 numbers, where the whole team sees them.
  static void sort(std::uint32_t* first, unsigned count) { std::sort(first, first + count); }
};

TDZ_HOST_DEVICE inline unsigned ones_of(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__popc(value));
#else
  return static_cast<unsigned>(std::popcount(value));
#endif
}

/// The number of bits up to the highest one that is set.
TDZ_HOST_DEVICE inline unsigned width_of(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return 32u - static_cast<unsigned>(__clz(static_cast<int>(value)));
#else
  return static_cast<unsigned>(std::bit_width(value));
#endif
}

}  // namespace tdz::uniform
