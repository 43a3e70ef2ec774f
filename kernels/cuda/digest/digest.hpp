// SPDX-License-Identifier: Apache-2.0
// XXH3-64 of many chunks in device memory, by one launch. Nothing is allocated, nothing waits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/digest/digest_plan.hpp"

namespace tdz::cuda {

/// All pointers are device pointers.
struct DigestBatch {
  const std::byte* data = nullptr;
  std::uint64_t bytes = 0;                ///< of data; no chunk reaches beyond them
  const ChunkPlace* chunks = nullptr;     ///< they do not overlap; any order, any alignment
  std::uint32_t count = 0;                ///< of the chunks
  std::uint64_t longest = 0;              ///< bytes of the longest chunk
  std::uint64_t* digests = nullptr;       ///< one for each chunk, or null
  const std::uint64_t* wanted = nullptr;  ///< one for each chunk, or null
  std::uint32_t* status = nullptr;        ///< one for each chunk, or null
  std::uint32_t* results = nullptr;       ///< the statuses come here too, or null; pinned host memory
  bool has_rows = false;  ///< the rows of all blocks are in the scratch already: only chains are left to do
};

/// Computes the digest of every chunk whose status is 0. A chunk that is longer than xxh3::kLongest, longer
/// than `longest`, or not within data, is refused; so is one whose digest differs from the wanted one. Its
/// status says so. The digest of a refused chunk is not written, or is the one that differs.
///
/// `scratch` has digest_scratch_bytes() bytes of device memory, aligned to 16. Fastest for chunks aligned to
/// 16 bytes.
cudaError_t launch_digest(const DigestBatch& batch, void* scratch, cudaStream_t stream);

}  // namespace tdz::cuda
