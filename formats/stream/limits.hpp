// SPDX-License-Identifier: Apache-2.0
// The limits of format 1, with a reason each: FORMAT.md, section 6. They never grow in
// version 1, because readers size buffers by them.
#pragma once

#include <cstdint>

#include "formats/plan/substreams.hpp"

namespace tdz::formats {

inline constexpr std::uint8_t kVersionMajor = 1;
inline constexpr std::uint8_t kVersionMinor = 1;           ///< the newest; see minor_version() for a plan
inline constexpr std::uint16_t kFeatures = 1;              ///< bit 0 marks this format; drafts do not have it
inline constexpr std::uint8_t kDigestXxh3 = 1;             ///< the kind of the digest of a chunk: XXH3-64
inline constexpr std::uint64_t kNone = ~std::uint64_t{0};  ///< an unknown size, or an offset of nothing

inline constexpr std::uint32_t kMinChunk = 64u << 10;  ///< below, 220 bytes a chunk weigh 0.3 %
inline constexpr std::uint32_t kMaxChunk = 1u << 30;   ///< bounds memory
inline constexpr std::uint32_t kMinFrame = 4096;       ///< below, 20 bytes a frame weigh 0.5 %

/// Frames of 4 KiB, and a short last one in each substream.
constexpr std::uint64_t max_frame_count(std::uint32_t original, std::uint32_t substreams) {
  return max_substream_bytes(original) / kMinFrame + substreams;
}
/// A uniform block has 4096 tokens or more; 256 lanes in 64 columns leave a remainder each.
constexpr std::uint32_t max_block_entries(std::uint32_t original) {
  return original / 4096 + 16384;
}
/// A zstd block takes 4 bytes and gives 128 KiB at most, so a few bytes cannot claim a gigabyte.
constexpr std::uint64_t min_packed(std::uint32_t unpacked) {
  return 4 * ((std::uint64_t{unpacked} + 131071) / 131072);
}
/// zstd's own bound is n + n/256 + 64 with header and checksum; twice that leaves room for other encoders.
constexpr std::uint64_t max_packed(std::uint32_t unpacked) {
  return std::uint64_t{unpacked} + unpacked / 128 + 512;
}

// A part of the index: they bound a writer's memory to 4 MB.
inline constexpr std::uint32_t kMaxEntries = 65536;
inline constexpr std::uint32_t kMaxPlanTable = 1u << 20;

/// The least and the largest length of a record, prefix and check included.
struct LengthRange {
  std::uint64_t least;
  std::uint64_t most;
};

inline constexpr std::uint64_t kGrowth = 4096;  ///< room for fields of later minor versions
inline constexpr std::uint64_t kRecordCheckBytes = 8;
inline constexpr std::uint64_t kHeaderFields = 56;  ///< up to the type
inline constexpr std::uint64_t kChunkFields = 96;   ///< up to the plan
inline constexpr std::uint64_t kIndexFields = 72;   ///< up to the plans
inline constexpr std::uint64_t kFrameBytes = 8;     ///< packed and unpacked
inline constexpr std::uint64_t kBlockEntryBytes = 12;
inline constexpr std::uint64_t kEntryBytes = 40;
inline constexpr std::uint64_t kEndLength = 104;  ///< for good, so that a reader finds it from the end

inline constexpr LengthRange kHeaderLength{kHeaderFields + kRecordCheckBytes, 4096};
inline constexpr LengthRange kChunkLength{
    kChunkFields + kRecordCheckBytes, kChunkFields + kMaxPlanBytes + 4 * kMaxSubstreams +
                                          kFrameBytes* max_frame_count(kMaxChunk, kMaxSubstreams) +
                                          kBlockEntryBytes* max_block_entries(kMaxChunk) + kRecordCheckBytes +
                                          kGrowth};
inline constexpr LengthRange kIndexLength{
    kIndexFields + kRecordCheckBytes,
    kIndexFields + kMaxPlanTable + kEntryBytes* kMaxEntries + kRecordCheckBytes + kGrowth};
inline constexpr LengthRange kNoteLength{48, 65536};  ///< an offset at least; short enough to step over
inline constexpr std::uint64_t kMinStream = kHeaderLength.least + kEndLength;

static_assert(kChunkLength.most == 8'667'368 && kIndexLength.most == 3'674'192 && kMinStream == 168);

}  // namespace tdz::formats
