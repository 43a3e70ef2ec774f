// SPDX-License-Identifier: Apache-2.0
// Encodes chunks with the layout `packed` on a device: from words in device memory to frames of raw blocks,
// the same bytes as the CPU's (kernels/cpu/steps/packed.cpp). FORMAT.md, section 3, `packed`. The mirror of
// integrate_groups.cuh.
//
// clang-format off
//     measure   a warp 256 groups   words -> residuals -> the width that each group needs
//     choose    a block a chunk     widths -> the widths of the chunk, places; how long its frames are
//     place     one block           sums of these lengths (place_chunks.cuh)
//     write     a warp 256 groups   words -> residuals -> bits, codes; a further warp writes headers
// clang-format on
//
// Between measure and write only the widths are kept, a byte for 16 words: to read the words again costs less
// than to store residuals. A chunk that packing does not make smaller is stored as it is, as the CPU does it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/frames/encode.hpp"
#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/steps/chosen_widths.hpp"

namespace tdz::cuda {

/// A chunk to pack. Its numbers are neighbours of those of other chunks in all arrays.
struct PackChunk {
  std::uint64_t values_at = 0;  ///< its original in the values
  std::uint64_t words_at = 0;   ///< its first word in the input, in bytes
  std::uint32_t words = 0;      ///< at most kMostStepWords
  std::uint32_t groups = 0;
  std::uint32_t first_place = 0;  ///< of all chunks; a place has room for kGroupsAPlace widths
  /// Bytes left free before its frames, and kRoomOfRawFrame more for each frame; for a chunk that is stored
  /// as it is, `plain_room` and the same. 0: none at all.
  std::uint32_t room = 0, plain_room = 0;

  TDZ_HOST_DEVICE constexpr std::uint32_t places() const {
    return (groups + kGroupsAPlace - 1) / kGroupsAPlace;
  }
};

/// What the record says of a chunk: the lengths of `widths` and `bits`. No widths: it is stored as it is.
struct PackedLengthsOfChunk {
  std::uint32_t widths = 0, bits = 0;
};

/// The widths of a chunk by their codes, and the code that a group takes by the width that it needs.
struct WidthChoice {
  std::uint8_t widths[kMostWidths];
  std::uint8_t codes[kMostWidthCount];
};

/// Chunks with words of one width, and the same steps. Pointers are device pointers.
struct PackTables {
  const PackChunk* chunks = nullptr;
  std::uint32_t chunk_count = 0;
  std::uint32_t place_count = 0;  ///< of all chunks
  std::uint32_t most_places = 0;  ///< of a chunk
  std::uint32_t segment = 0;      ///< bytes in a frame, at most
  std::uint32_t word = 0;         ///< bytes: 1, 2, 4 or 8; 0: nothing is packed
  std::uint32_t group_tuple = 1;  ///< of the groups: 1, or that of the difference
  GroupSteps steps;
};

struct PackBuffers {
  const std::byte* in = nullptr;  ///< at any address, aligned to 16 is faster
  /// If steps were applied before, the input is what these left. A chunk that packing does not make smaller
  /// is copied from here.
  const std::byte* values = nullptr;
  std::byte* out = nullptr;
  PackTables tables;
  frames::FramesPlace* chunks = nullptr;    ///< results, a chunk
  PackedLengthsOfChunk* lengths = nullptr;  ///< results, a chunk
  /// If not null, the input has the values: the rows of the digests' blocks are left here, as digest_plan.hpp
  /// says.
  std::uint64_t* digest_rows = nullptr;
  std::byte* scratch = nullptr;  ///< aligned to 256 bytes, pack_scratch_bytes() of them
};

/// Arrays in scratch.
struct PackSpace {
  std::uint8_t* group_widths = nullptr;  ///< kGroupsAPlace for each place
  std::uint32_t* places = nullptr;       ///< where the bits of a place begin in those of its chunk
  WidthChoice* choices = nullptr;        ///< a chunk
  std::size_t bytes = 0;

  TDZ_HOST_DEVICE PackSpace(const PackTables& tables, std::byte* scratch) {
    take(group_widths, std::size_t{tables.place_count} * kGroupsAPlace, scratch);
    take(places, tables.place_count, scratch);
    take(choices, tables.chunk_count, scratch);
  }

 private:
  template <class T>
  TDZ_HOST_DEVICE void take(T*& array, std::size_t count, std::byte* scratch) {
    if (scratch != nullptr) array = reinterpret_cast<T*>(scratch + bytes);
    bytes += (count * sizeof(T) + 255) / 256 * 256;
  }
};

inline std::size_t pack_scratch_bytes(const PackTables& tables) {
  return PackSpace(tables, nullptr).bytes;
}

/// Start the kernels, in this order. Nothing is allocated, nothing waits. Behind the first call's kernels the
/// results are complete; those of the second call write the frames. Both return a cudaError_t.
int launch_pack_results(const PackBuffers& buffers, void* stream);
int launch_pack_frames(const PackBuffers& buffers, void* stream);

}  // namespace tdz::cuda
