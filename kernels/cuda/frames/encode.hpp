// SPDX-License-Identifier: Apache-2.0
// Encodes uniform columns on a device: from words in device memory to zstd frames, the same bytes as the
// writer in kernels/uniform/. FORMAT.md, sections 3 and 4.
//
// A batch is many chunks. The host makes tables of columns, frames and groups (EncodeTables); the device
// fills the list of blocks and the lengths of frames, from which the host makes CHK.
//
// clang-format off
//     count    a warp a block      words -> tokens -> counts of each run, bytes of its raw bits
//     trees    a warp a group      counts -> lengths of codes, codes, description
//     choice   a warp a frame      the tree of each group: its own, or the one before
//     sizes    a warp a group      type and length of each block
//     place_*  a warp a frame ..   sums of lengths: groups in frames, frames in chunks, chunks in the batch
//     emit     a warp a block      words -> tokens -> Huffman streams, raw bits, headers
//     seal     a warp a raw frame  XXH64, headers
// clang-format on
//
// Between count and emit nothing is kept except counts: to read the words again costs less than to store
// tokens.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cuda::frames {

/// One uniform column of one chunk. Its frames, groups and blocks are neighbours in their tables.
struct EncodeColumn {
  std::uint32_t chunk = 0;
  std::uint32_t first_frame = 0, frames = 0;
  std::uint32_t first_group = 0, groups = 0;
  std::uint32_t segment = 0;  ///< bytes of the longest frame of raw bits
  std::uint16_t symbols = 0;  ///< tokens that words may need
  std::uint8_t word = 0;      ///< bytes: 1, 2, 4, 8
  std::uint8_t k = 0, m = 0;  ///< of the tokens
  std::uint8_t order = 0;     ///< of the difference, 0 to 3
  std::uint8_t restart = 0;   ///< the difference begins anew after 2^restart words; 0: never
  std::uint8_t zigzag = 0;
  std::uint8_t run = 0;  ///< a run has 2^run words, a block four of them
  std::uint8_t code_limit = 11;
};

/// Uniform blocks of one lane.
struct EncodeFrame {
  std::uint64_t words = 0;   ///< where the first one stands in the input, in bytes
  std::uint32_t stride = 0;  ///< bytes from one word of the lane to the next
  std::uint32_t column = 0;
  std::uint32_t first_word = 0;  ///< its number in the lane
  std::uint32_t first_group = 0, blocks = 0;
  std::uint32_t first_block = 0;
};

/// At most 8 blocks that share a tree.
struct EncodeGroup {
  std::uint32_t frame = 0;
  std::uint16_t number = 0;  ///< in the frame
  std::uint16_t blocks = 0;
};

/// Frames of raw bits: as many as a column may need.
struct EncodeRawFrame {
  std::uint32_t column = 0, number = 0;
};

struct EncodeChunk {
  std::uint32_t first_column = 0, columns = 0;
  /// Bytes left free before its frames, and kRoomOfRawFrame more for each frame of raw bits. 0: none at all.
  std::uint32_t room = 0;
};
inline constexpr std::uint32_t kRoomOfRawFrame = 8;  ///< its entry in CHK

/// As formats::BlockEntry.
struct EncodedBlock {
  std::uint16_t length;
  std::uint8_t type, bits;
  std::uint16_t raw[4];
};

/// Where the frames of a chunk lie.
struct FramesPlace {
  std::uint64_t offset;  ///< in the output; if chunks have no room, a multiple of 16
  std::uint32_t bytes;
  std::uint32_t zero;
};

/// In device memory. Groups are sorted by the bytes of their words: those of 1 << i bytes are groups
/// [width_begin[i], width_begin[i + 1]).
struct EncodeTables {
  const EncodeChunk* chunks = nullptr;
  const EncodeColumn* columns = nullptr;
  const EncodeFrame* frames = nullptr;
  const EncodeGroup* groups = nullptr;
  const EncodeRawFrame* raw_frames = nullptr;
  std::uint32_t chunk_count = 0, column_count = 0, frame_count = 0, group_count = 0, raw_frame_count = 0;
  std::uint32_t block_count = 0;
  std::uint32_t largest_alphabet = 0;  ///< the most symbols of a column
  std::uint32_t width_begin[5] = {};
};

/// In device memory; the host copies them back.
struct EncodeResults {
  FramesPlace* chunks = nullptr;         ///< a chunk
  EncodedBlock* blocks = nullptr;        ///< a block
  std::uint32_t* frame_bytes = nullptr;  ///< a frame of uniform blocks
  std::uint32_t* raw_bytes = nullptr;    ///< a column: its substream of raw bits
};

struct EncodeBuffers {
  const std::byte* in = nullptr;
  std::byte* out = nullptr;
  EncodeTables tables;
  EncodeResults results;
  std::byte* scratch = nullptr;  ///< aligned to 256 bytes, scratch_bytes() of them
};

/// Start the kernels, in this order. Nothing is allocated, nothing waits. Behind the first call's kernels the
/// results are complete; those of the second call write the frames. Both return a cudaError_t.
int launch_encode_results(const EncodeBuffers& buffers, void* stream);
int launch_encode_frames(const EncodeBuffers& buffers, void* stream);

}  // namespace tdz::cuda::frames
