// SPDX-License-Identifier: Apache-2.0
// Blelloch, "Prefix Sums and Their Applications", 1990, as Harris put it on GPUs (GPU Gems 3, ch. 39).
#include "kernels/cuda/baselines/three_phase.cuh"

const tdz::cuda::Baseline tdz::cuda::kBlelloch = {"blelloch", baseline::space_for_tiles,
                                                  baseline::three_phase<baseline::Blelloch>};
