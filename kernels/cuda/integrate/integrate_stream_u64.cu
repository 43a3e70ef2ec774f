// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/integrate/integrate_stream_launch.cuh"

template cudaError_t tdz::cuda::launch_integrate_stream<std::uint64_t>(const ScanSteps&, const ChunkBatch&,
                                                                       const ScanTuning&, const DeviceShape&,
                                                                       cudaStream_t);
