// SPDX-License-Identifier: Apache-2.0
// What the CPU backend does with one job. For tests and benchmarks, because they choose the passes
// themselves.
#pragma once

#include "kernels/backend.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

/// Runs these passes of the job's transform. If there are several, scratch must be as long as the chunk; the inverse
/// needs it only where a pass before the last one has a layout.
void forward(const TransformJob& job, const PassList& list);
void inverse(const TransformJob& job, const PassList& list);

}  // namespace tdz::cpu
