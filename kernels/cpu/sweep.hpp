// SPDX-License-Identifier: Apache-2.0
// One pass over one chunk: the seam between the backend and the code that is compiled once per instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/passes.hpp"

namespace tdz::cpu {

/// A pass over the whole words of a chunk.
struct Sweep : Pass {
  std::size_t words = 0;
};

/// With the best instruction set of this machine, or the one that the tests force (targets.hpp).
/// `in` and `out` hold `bytes` bytes each and do not overlap; no alignment is asked for.
void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

/// The same, word by word in plain C++: for machines without vectors and for big-endian ones.
void plain_forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void plain_inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

}  // namespace tdz::cpu
