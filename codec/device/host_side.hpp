// SPDX-License-Identifier: Apache-2.0
// What the host decodes of a chunk before a device decodes the rest: ordinary frames, and columns that have
// no uniform blocks.
#pragma once

#include <cstddef>
#include <span>

#include "codec/chunk/zstd_coder.hpp"
#include "codec/column/column_decoder.hpp"
#include "codec/device/decode_layout.hpp"

namespace tdz {

/// For one thread; keeps its memory. The constructor throws std::bad_alloc.
class HostSide {
 public:
  /// Fills this chunk's part of the side bytes. `packed`: its frames. An error only tells that the device
  /// must not decode this chunk.
  Status fill(const ParsedChunk& chunk, const DeviceChunk& device, std::span<const std::byte> packed,
              std::span<std::byte> side);

 private:
  Status decode_column(const ParsedChunk& chunk, const DeviceChunk& device, const HostColumn& column,
                       std::span<std::byte> side);

  ZstdDecoder zstd_;
  ColumnDecoder columns_;
  Buffer substreams_;
};

}  // namespace tdz
