// SPDX-License-Identifier: Apache-2.0
// The groups of one word, and the function that launches them.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/frames/decode_launch.hpp"

namespace tdz::cuda {

struct GroupTables {
  const uniform::BlockPlace* blocks = nullptr;
  const uniform::LanePlace* lanes = nullptr;
  const uniform::BlockGroup* groups = nullptr;
  std::uint32_t count = 0;
  std::uint32_t code_limit = 0;   ///< logarithm of the room for a decode table, in entries of EntryFor
  std::uint32_t table_bytes = 0;  ///< of shared memory for a decode table; the launcher sets it
  std::uint32_t team = 1;         ///< groups that a block may store together; then it has as many warps
};

template <class Word>
cudaError_t launch_groups(const GroupTables& tables, const DecodeBuffers& buffers, cudaStream_t stream);

}  // namespace tdz::cuda
