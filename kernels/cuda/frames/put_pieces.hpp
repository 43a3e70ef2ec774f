// SPDX-License-Identifier: Apache-2.0
// Copies short pieces within device memory, by one launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/host/encode_task.hpp"

namespace tdz::cuda {

/// All pointers are device pointers. Pieces do not overlap. Nothing is allocated, nothing waits.
cudaError_t launch_put_pieces(const PutPiece* pieces, std::uint32_t count, const std::byte* from,
                              std::byte* to, cudaStream_t stream);

}  // namespace tdz::cuda
