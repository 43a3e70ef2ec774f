// SPDX-License-Identifier: Apache-2.0
// Measures the codec on numbers in memory, as a whole and stage by stage. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "app/bench/measure/timing.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// The work of one cell of the grid. A chunk has 1 MiB, rounded down to whole rows.
struct CodecWork {
  std::span<const std::byte> data;  ///< not empty
  Coding coding;
  int level = kDefaultLevel;
  BackendChoice backend = BackendChoice::cpu;
  DeviceOptions device;
};
inline constexpr std::uint32_t kBenchChunk = 1u << 20;

/// The number of timed pieces in a cell.
inline constexpr std::size_t kCodecPieces = 8, kRawPieces = 2;

/// The whole result except `data`. A wrong byte is the result's `fault`. Errors: limit (memory), unsupported
/// (no such backend), cancelled.
Result<CodecResult> measure_codec(const CodecWork& work, Pacer& pacer, const std::stop_token& stop);

/// Plain zstd on the same bytes, in frames as long as the chunks.
Result<RawResult> measure_raw(std::span<const std::byte> data, int level, Pacer& pacer,
                              const std::stop_token& stop);

/// The most memory that measure_codec takes besides the data.
std::uint64_t codec_memory(std::uint64_t bytes);

}  // namespace tdz::app::bench
