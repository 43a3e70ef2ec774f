// SPDX-License-Identifier: Apache-2.0
// Pinned host memory: as one range of bytes, and as pieces through which several threads send bytes to a
// device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "kernels/cuda/host/cuda_handles.hpp"

namespace tdz::cuda {

/// cudaHostAlloc takes 140 ms for 256 MiB; huge pages that several threads touch, and that CUDA then
/// registers, take 15 ms (H200, 2026). Of a few hundred KiB it takes a millisecond, as long as all else that
/// the host does for a new decoder (H100, 2026): so what is short comes from blocks that the process keeps,
/// and goes back there. Keeps its memory for the next call.
class PinnedPages {
 public:
  PinnedPages() = default;
  /// No device may use the memory any more.
  ~PinnedPages() { give_back(); }
  PinnedPages(const PinnedPages&) = delete;
  PinnedPages& operator=(const PinnedPages&) = delete;

  /// Aligned to 256 bytes. If the memory has to grow, the old content is lost. Errors: limit, io.
  Result<std::span<std::byte>> take(std::size_t bytes);

 private:
  struct Free {
    void operator()(std::byte* pages) const noexcept { std::free(pages); }
  };

  bool register_pages(std::size_t bytes);
  void give_back() noexcept;

  std::unique_ptr<std::byte, Free> pages_;  // registered; freed after registered_
  Owned<void*, cudaHostUnregister> registered_;
  PinnedMemory memory_;  // where pages cannot be registered
  std::span<std::byte> all_;
};

/// The pieces are short and used again and again, so the device reads from the CPU's cache what a thread has
/// just written there: with 8 to 16 threads 52 GB/s, all that the bus can do, where memory of 32 MiB for each
/// thread takes 29 to 38 (H200, 2026).
class PinnedPieces {
 public:
  /// For threads with the numbers below `threads`. Nothing may be on its way. Errors: limit, io.
  Status make(unsigned threads);
  /// kPieceBytes that this thread may fill. Waits for what was sent from there. Thread-safe, if every thread
  /// uses its own number; so is send().
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
