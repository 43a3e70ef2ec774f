// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/columns/columns_launch.cuh"

template cudaError_t tdz::cuda::launch_columns<std::uint8_t>(const ScanSteps&, const ChunkBatch&, Direction,
                                                             cudaStream_t);
