// SPDX-License-Identifier: Apache-2.0
// What the CPU backend does with one job, for the tests and the benchmarks, which choose more than users do.
#pragma once

#include <cstddef>

#include "kernels/backend.hpp"
#include "kernels/cpu/segment.hpp"

namespace tdz::cpu {

/// As tdz::scratch_bytes; stepwise lists of two steps or more always need scratch.
std::size_t scratch_bytes(const Transform& transform, std::size_t chunk_bytes, Fusion fusion);

void forward(const TransformJob& job, Fusion fusion = Fusion::fused);
void inverse(const TransformJob& job, Fusion fusion = Fusion::fused);

}  // namespace tdz::cpu
