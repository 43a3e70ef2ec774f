// SPDX-License-Identifier: Apache-2.0
// From a transform to launches: which kernels apply or undo it, and on which path. Host code; decides, never
// waits.
#pragma once

#include <array>
#include <span>

#include "kernels/cuda/host/launch.hpp"

namespace tdz::cuda {

/// Consecutive steps that run in one launch.
struct Run {
  bool byteswap = false;  ///< then nothing else
  ScanSteps steps;
};

/// A step list cut into as few runs as the kernels allow, in forward order.
struct Runs {
  std::array<Run, 2 * kMaxSteps> storage{};
  std::size_t count = 0;

  std::span<const Run> all() const { return {storage.data(), count}; }
  void append(const Run& run) { storage[count++] = run; }
};
Runs cut_runs(const Transform& transform, const DeviceShape& device);

/// Whether tiles of these steps fit the device, both ways; else a thread walks a column.
bool runs_by_tiles(const ScanSteps& steps, const DeviceShape& device);

enum class Path : std::uint8_t { byteswap, rearrange, columns, stream, look_back };

/// How a run is best executed for a batch of this shape.
Path choose_path(const Run& run, const ChunkBatch& batch, Direction direction, const DeviceShape& device);

/// Device memory that a call needs beside the batch: for the board of a look-back, and for the chunks between
/// two runs.
std::size_t space_bytes(const Transform& transform, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device);

/// Enqueues all that applies (difference) or undoes (integrate) the transform. `space` is aligned to 16.
cudaError_t enqueue(const Transform& transform, const ChunkBatch& batch, Direction direction,
                    const DeviceShape& device, void* space, cudaStream_t stream);
/// One run on a given path.
cudaError_t enqueue_run(const Run& run, Path path, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device, void* space, cudaStream_t stream);

/// The shape of the current device.
cudaError_t current_shape(DeviceShape& shape);

}  // namespace tdz::cuda
