// SPDX-License-Identifier: Apache-2.0
// Copies short pieces within device memory, by one launch. Needs no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cuda {

/// Bytes that go from one buffer to a place in another.
struct PutPiece {
  std::uint64_t from = 0, to = 0;  ///< offsets in the buffers
  std::uint64_t bytes = 0;
};

/// All pointers are device pointers. Pieces do not overlap. Nothing is allocated, nothing waits. Returns a
/// cudaError_t.
int launch_put_pieces(const PutPiece* pieces, std::uint32_t count, const std::byte* from, std::byte* to,
                      void* stream);

}  // namespace tdz::cuda
