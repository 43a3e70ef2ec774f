// SPDX-License-Identifier: Apache-2.0
// All kernels of the encoder in their order, for the launcher and for a simulated device; and those of them
// that sum lengths: groups in frames and columns, frames in chunks.
#pragma once

#include <algorithm>

#include "kernels/cuda/frames/encode.hpp"
#include "kernels/cuda/frames/encode_count.cuh"
#include "kernels/cuda/frames/encode_emit.cuh"
#include "kernels/cuda/frames/encode_seal.cuh"
#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_trees.cuh"
#include "kernels/cuda/frames/encode_words.cuh"
#include "kernels/cuda/frames/place_chunks.cuh"
#include "kernels/uniform/block_layout.hpp"

namespace tdz::cuda::frames {

/// A warp for each frame, then a warp for the raw bits of each column.
__global__ void place_groups(EncodeBuffers buffers, EncodeSpace space) {
  const EncodeTables& tables = buffers.tables;
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (number < tables.frame_count) {
    const EncodeFrame& frame = tables.frames[number];
    GroupFacts* groups = space.groups + frame.first_group;
    const std::uint32_t blocks = warp_offsets((frame.blocks + 7) / 8, [&](auto g) { return groups[g].bytes; },
                                              [&](auto g, auto at) { groups[g].offset = at; });
    const std::uint32_t content = frame.blocks << (tables.columns[frame.column].run + 2);
    if (warp_thread() == 0)
      buffers.results.frame_bytes[number] = uniform::FrameHeader::length_of(content) + blocks;
  } else if (number - tables.frame_count < tables.column_count) {
    const EncodeColumn& column = tables.columns[number - tables.frame_count];
    GroupFacts* groups = space.groups + column.first_group;
    const std::uint32_t bytes = warp_offsets(
        column.groups, [&](auto g) { return groups[g].raw_bytes; },
        [&](auto g, auto at) { groups[g].raw_offset = at; });
    if (warp_thread() == 0) buffers.results.raw_bytes[number - tables.frame_count] = bytes;
  }
}

/// A warp for each chunk. Behind the frames of a column stand its raw bits. Until the chunks before it are
/// known, a chunk's offset is its room.
__global__ void place_frames(EncodeBuffers buffers, EncodeSpace space) {
  const EncodeTables& tables = buffers.tables;
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (number >= tables.chunk_count) return;
  const EncodeChunk& chunk = tables.chunks[number];
  std::uint32_t at = 0, room = chunk.room;
  for (std::uint32_t c = chunk.first_column; c < chunk.first_column + chunk.columns; ++c) {
    const EncodeColumn& column = tables.columns[c];
    at += warp_offsets(
        column.frames, [&](auto f) { return buffers.results.frame_bytes[column.first_frame + f]; },
        [&](auto f, auto offset) { space.frame_offsets[column.first_frame + f] = at + offset; });
    if (warp_thread() == 0) space.raw_offsets[c] = at;
    const uniform::RawLayout raw{buffers.results.raw_bytes[c], column.segment};
    at += static_cast<std::uint32_t>(raw.total());
    if (chunk.room != 0) room += kRoomOfRawFrame * raw.frames();
  }
  if (warp_thread() == 0) buffers.results.chunks[number] = {room, at, 0};
}

inline constexpr unsigned kThreads = 256;  // where a kernel does not say

inline unsigned blocks_for(std::uint64_t units, unsigned per_block) {
  return static_cast<unsigned>((units + per_block - 1) / per_block);
}

/// `launch(kernel, blocks, threads, shared bytes, arguments..)` starts a kernel behind those before it.
template <class Launch>
class EncodeSequence {
 public:
  EncodeSequence(const EncodeBuffers& buffers, Launch& launch)
      : buffers_(buffers), space_(buffers.tables, buffers.scratch), launch_(launch) {}

  /// Everything that EncodeResults has.
  void results() {
    const EncodeTables& tables = buffers_.tables;
    count_words<std::uint8_t>(0), count_words<std::uint16_t>(1);
    count_words<std::uint32_t>(2), count_words<std::uint64_t>(3);
    launch_(trees, blocks_for(tables.group_count, kTreeWarps), 32 * kTreeWarps, 0, buffers_, space_);
    launch_(choice, warps(tables.frame_count), kThreads, 0, buffers_, space_);
    launch_(sizes, warps(tables.group_count), kThreads, 0, buffers_, space_);
    launch_(place_groups, warps(std::uint64_t{tables.frame_count} + tables.column_count), kThreads, 0,
            buffers_, space_);
    launch_(place_frames, warps(tables.chunk_count), kThreads, 0, buffers_, space_);
    launch_(place_chunks, 1, kPlaceThreads, 0, buffers_.results.chunks, tables.chunk_count);
  }

  /// Behind results().
  void frames() {
    const EncodeTables& tables = buffers_.tables;
    emit_words<std::uint8_t>(0), emit_words<std::uint16_t>(1);
    emit_words<std::uint32_t>(2), emit_words<std::uint64_t>(3);
    launch_(seal, blocks_for(tables.raw_frame_count, kSealWarps), 32 * kSealWarps, 0, buffers_, space_);
  }

 private:
  static unsigned warps(std::uint64_t count) { return blocks_for(count, kThreads / 32); }
  std::uint32_t groups(unsigned width) const {
    return buffers_.tables.width_begin[width + 1] - buffers_.tables.width_begin[width];
  }

  template <class Word>
  void count_words(unsigned width) {
    const std::uint32_t counters = space_.alphabet * 32;  // bytes of a warp; 8 KiB at most
    launch_(count<Word>, blocks_for(8ull * groups(width), kCountWarps), 32 * kCountWarps,
            kCountWarps * counters, buffers_, space_, buffers_.tables.width_begin[width], groups(width),
            space_.alphabet);
  }
  template <class Word>
  void emit_words(unsigned width) {
    launch_(emit<Word>, groups(width), 32 * kEmitWarps, 0, buffers_, space_,
            buffers_.tables.width_begin[width]);
  }

  EncodeBuffers buffers_;
  EncodeSpace space_;
  Launch& launch_;
};

}  // namespace tdz::cuda::frames
