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

/// A part of a chunk, for layouts that take words by tiles: words [first, last) of `words`. The pass has no
/// layout.
struct SweepPart {
  std::size_t words = 0, first = 0, last = 0;
};
/// Codes of the part: they lie in `to`, or in `in` itself where nothing happens to the words. `in` is the
/// begin of the chunk.
const std::uint8_t* forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in,
                                 std::uint8_t* to);
/// The inverse, part after part from the front. `out` is the begin of the chunk. `settled`: what the call for
/// the part before gave, 0 at first; until then the words have their final byte order.
std::size_t inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                         std::uint8_t* out, std::size_t settled);

/// The same, word by word in plain C++: for machines without vectors, and for big-endian machines.
void plain_forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void plain_inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void plain_forward_part(const Pass& pass, const SweepPart& part, const std::uint8_t* in, std::uint8_t* to);
void plain_inverse_part(const Pass& pass, const SweepPart& part, const std::uint8_t* codes,
                        std::uint8_t* out);

}  // namespace tdz::cpu
