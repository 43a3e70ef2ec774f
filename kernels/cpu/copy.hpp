// SPDX-License-Identifier: Apache-2.0
// Long copies outside the kernels of an instruction set.
#pragma once

#include <cstddef>
#include <cstring>

namespace tdz::cpu {

/// Copies `bytes` bytes that do not overlap. Not one memcpy: that of glibc 2.36 drops from 40 to 3 GB/s on
/// Zen 3 and Zen 4 where the low bits of the two addresses differ by little (`rep movsb`), as they do after a
/// header.
inline void copy_long(const std::byte* from, std::byte* to, std::size_t bytes) {
  constexpr std::size_t kAtOnce = 64;  // the compiler makes vectors of it
  for (; bytes >= kAtOnce; bytes -= kAtOnce, from += kAtOnce, to += kAtOnce) std::memcpy(to, from, kAtOnce);
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace tdz::cpu
