// SPDX-License-Identifier: Apache-2.0
#include "codec/device/host_side.hpp"

#include <algorithm>
#include <vector>

#include "formats/plan/substreams.hpp"

namespace tdz {

Status HostSide::fill(const ParsedChunk& chunk, const DeviceChunk& device, std::span<const std::byte> packed,
                      std::span<std::byte> side) {
  for (const uniform::OrdinaryFrame& frame : device.frames) {
    const auto from = packed.subspan(static_cast<std::size_t>(frame.packed), frame.packed_bytes);
    const auto to = side.subspan(static_cast<std::size_t>(frame.side), frame.unpacked_bytes);
    if (auto done = zstd_.decode(from, to); !done) return done;
  }
  for (const HostColumn& column : device.host_columns) {
    if (auto done = decode_column(chunk, device, column, side); !done) return done;
  }
  return ok();
}

/// As a chunk that has this column alone.
Status HostSide::decode_column(const ParsedChunk& chunk, const DeviceChunk& device, const HostColumn& host,
                               std::span<std::byte> side) {
  const Column& column = chunk.plan.columns[host.column];
  std::size_t first = 0;
  for (std::size_t c = 0; c < host.column; ++c) first += formats::substream_count(chunk.plan.columns[c]);
  const auto lengths = std::span(chunk.record.substreams).subspan(first, formats::substream_count(column));
  std::size_t bytes = 0;
  for (const std::uint32_t length : lengths) bytes += length;
  const auto substreams = substreams_.take(bytes);
  auto to = substreams.begin();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto at = static_cast<std::size_t>(device.substreams[first + i].side);
    to = std::ranges::copy(side.subspan(at, lengths[i]), to).out;
  }
  const std::uint64_t rows = formats::rows_of(chunk.plan, chunk.record.original_bytes);
  const auto words = side.subspan(static_cast<std::size_t>(host.words_at),
                                  static_cast<std::size_t>(rows * row_bytes(column)));
  return columns_.decode(Plan{Coding::zstd, {column}}, lengths, substreams, words);
}

}  // namespace tdz
