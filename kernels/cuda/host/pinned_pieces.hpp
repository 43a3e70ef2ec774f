// SPDX-License-Identifier: Apache-2.0
// Pinned memory through which several threads send bytes to a device. The pieces are short and used again and again, so
// the device reads from the CPU's cache what a thread has just written there: with 8 to 16 threads 52 GB/s, all that the
// bus can do, where memory of 32 MiB for each thread takes 29 to 38 (H200, 2026).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/pinned_pages.hpp"

namespace tdz::cuda {

class PinnedPieces {
 public:
  /// For threads with the numbers below `threads`. Nothing may be on its way. Errors: limit, io.
  Status make(unsigned threads);
  /// kPieceBytes that this thread may fill. Waits for what was sent from there. Thread-safe, if every thread uses its own
  /// number; so is send().
  Result<std::span<std::byte>> take(unsigned thread);
  /// Copies the first bytes of what take() gave last.
  Status send(unsigned thread, std::byte* to, std::size_t bytes, cudaStream_t stream);

 private:
  /// While one piece is filled, the other is sent.
  struct Pair {
    std::array<std::span<std::byte>, 2> pieces;
    std::array<Event, 2> sent;
    std::size_t turn = 0;
  };

  PinnedPages memory_;
  std::vector<Pair> pairs_;
};

}  // namespace tdz::cuda
