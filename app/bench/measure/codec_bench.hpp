// SPDX-License-Identifier: Apache-2.0
// The codec measured on numbers in memory: as a whole, and stage by stage. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>

#include "app/bench/measure/timing.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// What one cell of the grid measures. Chunks are of 1 MiB, cut at whole rows.
struct CodecWork {
  std::span<const std::byte> data;  ///< not empty
  Coding coding;
  int level = kDefaultLevel;
  BackendChoice backend = BackendChoice::cpu;
  DeviceOptions device;
};
inline constexpr std::uint32_t kBenchChunk = 1u << 20;

/// How many pieces of work that a pacer knows are in it.
inline constexpr std::size_t kCodecPieces = 8, kRawPieces = 2;

/// The whole result but for `data`. A wrong byte is the result's fault; an Error is one of the work around it
/// (memory, a backend that is not there, cancelled).
Result<CodecResult> measure_codec(const CodecWork& work, Pacer& pacer, const std::stop_token& stop);

/// Plain zstd on the same bytes, in frames as long as the chunks.
Result<RawResult> measure_raw(std::span<const std::byte> data, int level, Pacer& pacer,
                              const std::stop_token& stop);

/// What measure_codec takes at most beside the data.
std::uint64_t codec_memory(std::uint64_t bytes);

}  // namespace tdz::app::bench
