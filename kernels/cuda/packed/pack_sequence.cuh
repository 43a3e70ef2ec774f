// SPDX-License-Identifier: Apache-2.0
// The kernels that pack groups in their order, for the launcher and for a simulated device.
#pragma once

#include "kernels/cuda/frames/place_chunks.cuh"
#include "kernels/cuda/packed/pack_groups.cuh"

namespace tdz::cuda {

/// `launch(kernel, blocks, threads, shared bytes, arguments..)` starts a kernel behind those before it.
template <class Launch>
class PackSequence {
 public:
  PackSequence(const PackBuffers& buffers, Launch& launch)
      : buffers_(buffers), space_(buffers.tables, buffers.scratch), launch_(launch) {}

  /// Everything that is left for the host.
  void results() {
    const std::uint32_t chunks = buffers_.tables.chunk_count;
    call_with_word(buffers_.tables.word, [&]<class Word>() {
      launch_(measure_groups<Word>, blocks(buffers_.tables.most_places), kPackWarps * kWarp, 0, buffers_,
              space_);
    });
    launch_(choose_widths, chunks, kChooseThreads, 0, buffers_, space_);
    launch_(frames::place_chunks, 1, frames::kPlaceThreads, 0, buffers_.chunks, chunks);
  }

  /// Behind results().
  void frames() {
    call_with_word(buffers_.tables.word, [&]<class Word>() {
      launch_(write_groups<Word>, blocks(buffers_.tables.most_places + 1), kPackWarps * kWarp,
              kPackWarps * piece_bytes(sizeof(Word)), buffers_, space_);
    });
  }

 private:
  /// With a warp for each of so many units of each chunk.
  unsigned blocks(std::uint32_t units) const {
    const std::uint64_t warps = std::uint64_t{units} * buffers_.tables.chunk_count;
    return static_cast<unsigned>((warps + kPackWarps - 1) / kPackWarps);
  }

  PackBuffers buffers_;
  PackSpace space_;
  Launch& launch_;
};

}  // namespace tdz::cuda
