// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/frames/put_pieces.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {
namespace {

constexpr unsigned kThreads = 256;

/// A thread block a piece, byte by byte: a piece may begin at any address, and is short.
__global__ void __launch_bounds__(kThreads)
    put_pieces(const PutPiece* pieces, const std::byte* from, std::byte* to) {
  const PutPiece piece = pieces[blockIdx.x];
  for (std::uint64_t i = threadIdx.x; i < piece.bytes; i += kThreads) to[piece.to + i] = from[piece.from + i];
}

}  // namespace

int launch_put_pieces(const PutPiece* pieces, std::uint32_t count, const std::byte* from, std::byte* to,
                      void* stream) {
  if (count == 0) return cudaSuccess;
  return launch_kernel(put_pieces, dim3(count), kThreads, 0, static_cast<cudaStream_t>(stream), pieces, from,
                       to);
}

}  // namespace tdz::cuda
