// SPDX-License-Identifier: Apache-2.0
// Does the code for GPUs before compute capability 9.0 compile? One kernel of each kind is enough for that.
#include "kernels/cuda/columns/columns.cuh"
#include "kernels/cuda/difference/difference_stream.cuh"
#include "kernels/cuda/frames/decode_groups.cuh"
#include "kernels/cuda/integrate/byte_tile.cuh"
#include "kernels/cuda/integrate/integrate_look_back.cuh"
#include "kernels/cuda/integrate/integrate_stream.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/packed/integrate_groups.cuh"

namespace tdz::cuda {

/// Naming the kernels instantiates them.
extern const void* const kOlderKernels[];
const void* const kOlderKernels[] = {
    reinterpret_cast<const void*>(integrate_look_back<TileIntegrator<std::uint32_t, 1, 47, 3>, 0>),
    reinterpret_cast<const void*>(integrate_look_back<ByteTiles<3, 3>, 0>),
    reinterpret_cast<const void*>(integrate_stream<PlaneTiles<std::uint32_t, 1, 47, 2>, 0>),
    reinterpret_cast<const void*>(integrate_stream<TileIntegrator<std::uint32_t, 1, 47, 2>, 0>),
    reinterpret_cast<const void*>(difference_stream<std::uint32_t, 1, 47, TileKind::any>),
    reinterpret_cast<const void*>(walk_groups<std::uint32_t, 2, false, GroupTask::write>),
    reinterpret_cast<const void*>(decode_groups<std::uint32_t, CodeLimit::any, false>),
    reinterpret_cast<const void*>(walk_columns<std::uint32_t, 1, 1, Direction::integrate>),
};

}  // namespace tdz::cuda
