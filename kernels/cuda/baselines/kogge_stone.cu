// SPDX-License-Identifier: Apache-2.0
// Hillis and Steele, "Data Parallel Algorithms", 1986: the Kogge-Stone block scan in the same three phases.
#include "kernels/cuda/baselines/three_phase.cuh"

const tdz::cuda::Baseline tdz::cuda::kKoggeStone = {"kogge-stone", baseline::space_for_tiles,
                                                    baseline::three_phase<baseline::KoggeStone>};
