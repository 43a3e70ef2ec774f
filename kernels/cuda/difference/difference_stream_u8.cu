// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/difference/difference_stream_launch.cuh"

template cudaError_t tdz::cuda::launch_difference_stream<std::uint8_t>(const ScanSteps&, const ChunkBatch&,
                                                                       const ScanTuning&, const DeviceShape&,
                                                                       cudaStream_t);
