// SPDX-License-Identifier: Apache-2.0
// One chunk: original bytes -> substreams -> frames, and back. A coder is used by one thread and keeps its
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/parsed_chunk.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "formats/error.hpp"
#include "kernels/buffer.hpp"
#include "kernels/steps/column_decoder.hpp"
#include "kernels/steps/column_encoder.hpp"

namespace tdz {

class ChunkEncoder {
 public:
  explicit ChunkEncoder(int level);
  /// Takes the plain plan instead of the recipe's where the format does not allow its substreams, or where
  /// zstd packs none of them and they are no shorter than the original. Takes zstd's coding where
  /// `frame_bytes` leaves no room for groups of uniform blocks. Error limit: no memory. Preconditions:
  /// `original` has 1 byte to 1 GiB; formats::check(recipe.plan) finds nothing.
  Status encode(std::span<const std::byte> original, const Recipe& recipe, std::uint32_t frame_bytes,
                EncodedChunk& out);

 private:
  Status encode_uniform(std::span<const std::byte> original, const Recipe& recipe, std::uint32_t frame_bytes,
                        const Substreams& coded, EncodedChunk& out);
  Status pack(std::span<const std::byte> substreams, std::span<const FramePiece> pieces, EncodedChunk& out);

  ColumnEncoder columns_;
  ZstdEncoder zstd_;
};

class ChunkDecoder {
 public:
  /// Fills `original` (as long as the record says) and checks its digest. Precondition: `packed` has the
  /// bytes that the record promises. Errors: corrupt, limit.
  Status decode(const ParsedChunk& chunk, std::span<const std::byte> packed, std::span<std::byte> original);

 private:
  Status restore(const ParsedChunk& chunk, std::span<const std::byte> packed, std::span<std::byte> original);
  Status unpack(const ParsedChunk& chunk, std::span<const std::byte> packed, std::span<std::byte> substreams);

  ZstdDecoder zstd_;
  ColumnDecoder columns_;
  Buffer substreams_;
};

}  // namespace tdz
