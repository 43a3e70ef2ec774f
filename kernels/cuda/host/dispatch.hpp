// SPDX-License-Identifier: Apache-2.0
// From a transform to launches: which kernels apply or undo it, and on which path. Host code; it never waits.
#pragma once

#include "kernels/cuda/launch/launch.hpp"
#include "kernels/passes.hpp"

namespace tdz::cuda {

/// A step list cut into as few passes as the kernels allow: each is one launch.
PassList device_passes(const Column& transform, const DeviceShape& device);

/// Whether tiles of this pass fit the device in both directions. If not, each thread walks one column.
bool runs_by_tiles(const Pass& pass, const DeviceShape& device);

enum class Path : std::uint8_t { rearrange, columns, stream, look_back };

/// The fastest path of a pass for a batch of this shape.
Path choose_path(const Pass& pass, const ChunkBatch& batch, Direction direction, const DeviceShape& device);

/// Device memory that a call needs besides the batch: for the tile states of a look-back, and for the chunks
/// between two passes.
std::size_t space_bytes(const Column& transform, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device);

/// Enqueues all launches that apply (difference) or undo (integrate) the transform. `space` is aligned to 16
/// bytes.
cudaError_t enqueue(const Column& transform, const ChunkBatch& batch, Direction direction,
                    const DeviceShape& device, void* space, cudaStream_t stream);
/// The same for one pass, on a given path.
cudaError_t enqueue_pass(const Pass& pass, Path path, const ChunkBatch& batch, Direction direction,
                         const DeviceShape& device, void* space, cudaStream_t stream);

/// Asks for the shape of the current device.
cudaError_t current_shape(DeviceShape& shape);

}  // namespace tdz::cuda
