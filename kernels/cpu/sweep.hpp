// SPDX-License-Identifier: Apache-2.0
// One pass over one chunk. step_list.cpp calls these functions; their code is compiled once for each
// instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/passes.hpp"

namespace tdz::cpu {

/// A pass over the whole words of a chunk.
struct Sweep : Pass {
  std::size_t words = 0;
};

/// Use the best instruction set of this machine, or the one that a test has chosen (targets.hpp). `in` and
/// `out` hold `bytes` bytes each and do not overlap; they need not be aligned. A pass without a layout may be
/// undone in place: then `in` is `out`.
void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

/// The same, word by word in plain C++: for machines without vectors, and for big-endian machines.
void plain_forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void plain_inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

}  // namespace tdz::cpu
