// SPDX-License-Identifier: Apache-2.0
// A batch of chunks that a device encodes: where everything lies. Plain values, made by the host before.
// Needs no CUDA header.
//
// The *image* is pinned host memory, and the scratch is device memory. An offset below is the same in both.
// The head (tables) goes to the device before the kernels. The results come back before the frames are
// written: meanwhile the host makes the records of the chunks, and they go to the device too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/plan/plan.hpp"
#include "kernels/cuda/digest/digest_plan.hpp"
#include "kernels/cuda/frames/encode.hpp"
#include "kernels/cuda/frames/put_pieces.hpp"
#include "kernels/cuda/packed/pack_groups.hpp"

namespace tdz::cuda {

/// Chunks side by side in the values: one batch of the scan kernels applies the steps that come before groups
/// or frames. All have `chunk_bytes`, except the last one, which may have less; of several chunks these are a
/// multiple of 16.
struct ScanRun {
  std::uint64_t bytes = 0, chunk_bytes = 0;
  std::uint64_t values = 0;  ///< offset of the first one
  std::uint64_t work = 0;    ///< of its words, in the work memory; a multiple of 16
};

struct EncodeJob {
  // The head. Of packed groups the chunks are PackChunk, and there are no other tables.
  std::uint64_t chunks = 0, columns = 0, frames = 0, groups = 0, raw_frames = 0;
  std::uint64_t places = 0;  ///< ChunkPlace, in the values
  std::uint64_t head_bytes = 0;

  // The results.
  std::uint64_t results = 0, results_bytes = 0;  ///< all of them
  std::uint64_t out_chunks = 0, out_blocks = 0, frame_bytes = 0, raw_bytes = 0, digests = 0;
  std::uint64_t packed_lengths = 0;  ///< of packed groups

  // Records: a PutPiece for each chunk, from the scratch to the output; then their bytes.
  std::uint64_t pieces = 0, records = 0;

  // Offsets in the scratch alone.
  std::uint64_t encode_scratch = 0, digest_scratch = 0;
  std::uint64_t work = 0;    ///< words, if steps come before groups or frames
  std::uint64_t packed = 0;  ///< the output, if it is to go to the host

  Column scanned;              ///< with the steps that come before groups or frames, and no others
  std::vector<ScanRun> scans;  ///< of all chunks, if there are such steps

  // One of the two: uniform frames, or packed groups. Their numbers; no address counts.
  frames::EncodeTables tables;
  PackTables pack;
  std::uint64_t first = 0;         ///< where the room of the first chunk begins in the output
  std::uint64_t values_bytes = 0;  ///< of all chunks
  std::uint64_t longest = 0;       ///< bytes of the longest chunk

  std::uint32_t chunk_count() const { return tables.chunk_count + pack.chunk_count; }
  /// The kernel of the groups reads the values anyway: then it leaves the rows of all digests.
  bool leaves_rows() const { return pack.chunk_count != 0 && scans.empty(); }
};

/// What encode() is given.
struct EncodeMemory {
  std::byte* image = nullptr;         ///< host
  std::byte* scratch = nullptr;       ///< device
  const std::byte* values = nullptr;  ///< device
  std::byte* packed = nullptr;        ///< device: the output
};

}  // namespace tdz::cuda
