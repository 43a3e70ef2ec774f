// SPDX-License-Identifier: Apache-2.0
// A list of steps over one chunk, on the CPU, each way. All functions are thread-safe, never fail,
// and use the best instruction set of this machine (targets.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "kernels/device.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

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
