// SPDX-License-Identifier: Apache-2.0
// One pass over one chunk, whose code is compiled once for each instruction set; and a list of steps, which
// runs as one pass or several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/device.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

// ---- One pass over one chunk

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

// ---- A list of steps over one chunk, each way. All functions are thread-safe, never fail, and use the best
// instruction set of this machine (targets.hpp).

/// One chunk of words of `word` bytes, and the steps, as passes() takes them. `in` and `out` have the same
/// length and do not overlap, except that inverse() takes the same bytes for both where inverts_in_place().
/// `scratch` overlaps neither; forward() needs scratch_bytes() of it, inverse() inverse_scratch_bytes(). No
/// span needs to be aligned.
struct StepListJob {
  unsigned word = 1;
  std::span<const PlanStep> steps;
  std::span<const std::byte> in;
  std::span<std::byte> out;
  std::span<std::byte> scratch;
};

/// 0 if one pass runs all steps; else the length of the chunk, which then lies there between two passes.
std::size_t scratch_bytes(const PassList& list, std::size_t chunk_bytes);
/// The same for the way back, where a pass without a layout runs in place. At most scratch_bytes().
std::size_t inverse_scratch_bytes(const PassList& list, std::size_t chunk_bytes);
/// Whether inverse() may restore a chunk in its own place: no step is a layout.
bool inverts_in_place(const PassList& list);

/// Applies the job's steps in order.
void forward(const StepListJob& job);
/// Applies the inverse steps backwards.
void inverse(const StepListJob& job);

/// The same in these passes of the job's steps, for tests. If there are several passes, scratch must be
/// as long as the chunk; the inverse needs it only where a pass before the last one has a layout.
void forward(const StepListJob& job, const PassList& list);
void inverse(const StepListJob& job, const PassList& list);

/// The backend `cpu`, with the instruction set that it uses.
BackendInfo backend_info();

}  // namespace tdz::cpu
