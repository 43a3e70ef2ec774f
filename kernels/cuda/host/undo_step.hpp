// SPDX-License-Identifier: Apache-2.0
// From a StepRun to the launch that undoes its step. Host code; it never waits.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/host/decode_job.hpp"

namespace tdz::cuda {

/// Pure.
std::size_t undo_scratch_bytes(const StepRun& run);

/// Turns offsets into addresses, in the image.
void write_addresses(const DecodeJob& job, const DecodeMemory& memory);

/// Precondition: the image with its addresses is in the scratch. `turn`: which of the job's step scratches no
/// other launch uses now.
cudaError_t launch_undo(const StepRun& run, const DecodeJob& job, std::byte* scratch, std::size_t turn,
                        cudaStream_t stream);

}  // namespace tdz::cuda
