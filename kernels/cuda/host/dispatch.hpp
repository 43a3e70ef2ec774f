// SPDX-License-Identifier: Apache-2.0
// From steps to launches: which kernels apply or undo a column, and on which path; and which kernel undoes
// a step of a plan. Host code; it never waits.
#pragma once

#include "kernels/cuda/host/decode_job.hpp"
#include "kernels/cuda/host/encode_job.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/passes.hpp"

namespace tdz::cuda {

// ---- Transforms

/// A step list cut into as few passes as the kernels allow: each is one launch.
PassList device_passes(const Column& column, const DeviceShape& device);

/// Whether tiles of this pass fit the device in both directions. If not, each thread walks one column.
bool runs_by_tiles(const Pass& pass, const DeviceShape& device);

enum class Path : std::uint8_t { rearrange, columns, stream, look_back };

/// The fastest path of a pass for a batch of this shape.
Path choose_path(const Pass& pass, const ChunkBatch& batch, Direction direction, const DeviceShape& device);

/// Device memory that a call needs besides the batch: for the tile states of a look-back, and for the chunks
/// between two passes.
std::size_t space_bytes(const Column& column, const ChunkBatch& batch, Direction direction,
                        const DeviceShape& device);

/// Enqueues all launches that apply (difference) or undo (integrate) the column. `space` is aligned to 16
/// bytes.
cudaError_t enqueue(const Column& column, const ChunkBatch& batch, Direction direction,
                    const DeviceShape& device, void* space, cudaStream_t stream);
/// The same for one pass, on a given path.
cudaError_t enqueue_pass(const Pass& pass, Path path, const ChunkBatch& batch, Direction direction,
                         const DeviceShape& device, void* space, cudaStream_t stream);

/// Asks for the shape of the current device.
cudaError_t current_shape(DeviceShape& shape);

// ---- Steps of a decoded chunk

/// Device memory that undoing this step takes, or the steps of these chunks. Pure.
std::size_t undo_scratch_bytes(const StepRun& run);
std::size_t undo_scratch_bytes(const PackedRun& run, const DeviceShape& device);

/// The packed bytes of a job, on the device.
const std::byte* packed_bytes(const DecodeJob& job, const DecodeMemory& memory);

/// Turns offsets into addresses, in the image.
void write_addresses(const DecodeJob& job, const DecodeMemory& memory);

/// Precondition: the image with its addresses is in the scratch. `turn`: which of the job's step scratches no
/// other launch uses now.
cudaError_t launch_undo(const StepRun& run, const DecodeSlice& slice, const DecodeJob& job,
                        const DecodeMemory& memory, std::size_t turn, cudaStream_t stream);

/// Copies the plain chunks of a slice.
cudaError_t launch_plain(const DecodeSlice& slice, const DecodeJob& job, const DecodeMemory& memory,
                         cudaStream_t stream);

/// Undoes the groups of these chunks and all of the run's steps before them. If steps are left for the scan
/// kernels, and the values are at an address that those do not take, and no spare room was asked for, the
/// chunks are refused: their status says so.
cudaError_t launch_packed(const PackedRun& run, const DecodeSlice& slice, const DecodeJob& job,
                          const DecodeMemory& memory, const DeviceShape& device, std::size_t turn,
                          cudaStream_t stream);

// ---- Steps before a chunk is encoded

/// Applies all steps that come before groups or frames: from the values to the work memory. What the output
/// holds is lost.
cudaError_t launch_apply(const EncodeJob& job, const EncodeMemory& memory, const DeviceShape& device,
                         cudaStream_t stream);

}  // namespace tdz::cuda
