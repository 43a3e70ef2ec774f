// SPDX-License-Identifier: Apache-2.0
// Whole streams without zstd: their frames store the residuals in raw blocks.
#pragma once

#include "samples.hpp"

namespace tdz::test {

struct Piece {
  Bytes original;
  Transform transform;
  std::uint32_t largest_frame = formats::kDefaultChunk;
};

/// A complete zstd frame that holds these bytes uncompressed. FORMAT.md requires a checksum from writers.
/// Here it is left out, because it needs XXH64, and zstd and the page of Python accept frames without it.
Bytes raw_frame(std::span<const std::byte> bytes);

/// HDR, a CHK and its frames for every piece, INDX, END, SEEK.
Bytes raw_stream(const formats::StreamHeader& header, std::span<const Piece> pieces);

/// The same, with given chunk records and frames. `frames` lie one after another.
struct StoredChunk {
  formats::ChunkRecord record{};  ///< without the stream id
  Bytes original{};
  Bytes frames{};
};
Bytes stream_of(const formats::StreamHeader& header, std::span<StoredChunk> chunks);

}  // namespace tdz::test
