// SPDX-License-Identifier: Apache-2.0
// What the CPU backend does with one job, for the tests and the benchmarks, which choose more than users do.
#pragma once

#include "kernels/backend.hpp"
#include "kernels/passes.hpp"

namespace tdz::cpu {

/// Runs these passes of the job's transform. More than one need scratch for the chunk.
void forward(const TransformJob& job, const PassList& list);
void inverse(const TransformJob& job, const PassList& list);

}  // namespace tdz::cpu
