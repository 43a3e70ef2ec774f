// SPDX-License-Identifier: Apache-2.0
// One chunk: original bytes -> steps -> frames, and back. A coder is used by one thread and keeps its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/chunk/buffer.hpp"
#include "codec/chunk/frame_plan.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "formats/error.hpp"
#include "formats/records.hpp"
#include "formats/transform.hpp"
#include "kernels/backend.hpp"

namespace tdz {

/// A chunk as it is stored: the values for its record, and its frames one after another.
struct EncodedChunk {
  std::uint64_t digest = 0;
  std::vector<formats::FrameLengths> frames;
  Buffer memory;
  std::span<const std::byte> packed;  ///< within memory
};

class ChunkEncoder {
 public:
  ChunkEncoder(Backend& backend, int level);
  /// Errors: limit (no memory), io (the backend's device failed).
  Status encode(std::span<const std::byte> original, const Recipe& recipe, std::uint32_t frame_bytes,
                EncodedChunk& out);

 private:
  Result<std::span<const std::byte>> transformed(std::span<const std::byte> original,
                                                 const Transform& transform);
  Status pack(std::span<const std::byte> residuals, std::span<const FramePiece> pieces, EncodedChunk& out);

  Backend& backend_;
  ZstdEncoder zstd_;
  Buffer residuals_;
  Buffer scratch_;
};

class ChunkDecoder {
 public:
  ChunkDecoder(Backend& backend, FrameChecksum checksum);
  /// Fills `original` (as long as the record says) and checks its digest. Errors: corrupt, limit, io
  /// (device).
  Status decode(const formats::ChunkRecord& record, std::span<const std::byte> packed,
                std::span<std::byte> original);

 private:
  Status unpack(const formats::ChunkRecord& record, std::span<const std::byte> packed,
                std::span<std::byte> residuals);
  Status restore(const TransformJob& job, std::uint64_t digest);

  Backend& backend_;
  ZstdDecoder zstd_;
  Buffer residuals_;
  Buffer scratch_;
};

}  // namespace tdz
