// SPDX-License-Identifier: Apache-2.0
// Sums of lengths: groups in frames and columns, frames in chunks.
#pragma once

#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_words.cuh"
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

}  // namespace tdz::cuda::frames
