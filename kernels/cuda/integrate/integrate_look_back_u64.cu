// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/integrate/integrate_look_back_launch.cuh"

template cudaError_t tdz::cuda::launch_integrate_look_back<std::uint64_t>(const ScanSteps&, const ChunkBatch&,
                                                                          const ScanTuning&,
                                                                          const DeviceShape&, void*,
                                                                          cudaStream_t);
