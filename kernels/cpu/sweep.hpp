// SPDX-License-Identifier: Apache-2.0
// Passes over one chunk on the CPU. Their code is compiled once for each instruction set. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/passes.hpp"

namespace tdz::cpu {

/// A pass over the whole words of a chunk.
struct Sweep : Pass {
  std::size_t words = 0;
};

/// Use the best instruction set of this machine, or the one that a test has chosen (targets.hpp). `in` and
/// `out` hold `bytes` bytes each and do not overlap; they need not be aligned. A pass without a layout may be undone in
/// place: then `in` is `out`.
void forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

/// A list of passes over one chunk. `in` and `out` have the same length and do not overlap, except that inverse() takes the
/// same bytes for both where inverts_in_place(). `scratch` overlaps neither; forward() needs scratch_bytes(list,
/// in.size()) of it, inverse() inverse_scratch_bytes(). No span needs to be aligned.
void forward(const PassList& list, std::span<const std::byte> in, std::span<std::byte> out,
             std::span<std::byte> scratch);
void inverse(const PassList& list, std::span<const std::byte> in, std::span<std::byte> out,
             std::span<std::byte> scratch);

/// 0 if one pass runs all steps; else the length of the chunk, which then lies there between two passes.
std::size_t scratch_bytes(const PassList& list, std::size_t chunk_bytes);
/// The same for the way back, where a pass without a layout runs in place. At most scratch_bytes().
std::size_t inverse_scratch_bytes(const PassList& list, std::size_t chunk_bytes);
/// Whether inverse() may restore a chunk in its own place: no step is a layout.
bool inverts_in_place(const PassList& list);

/// The same, word by word in plain C++: for machines without vectors, and for big-endian machines.
void plain_forward(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);
void plain_inverse(const Pass& pass, const std::uint8_t* in, std::uint8_t* out, std::size_t bytes);

}  // namespace tdz::cpu
