// SPDX-License-Identifier: Apache-2.0
// The records of a stream as values, each with its pair of functions parse / serialize. FORMAT.md is the
// reference and has the fields in the same order. Pure functions, thread-safe.
//
//     stream = HDR [META]  ( (CHK frame+)* [INDX] )*  END [SEEK]
//
// Every parse_* takes one whole record, as long as its prefix says, and `where`, its offset in the stream.
// Errors: corrupt (a check fails, or fields contradict each other), unsupported (intact, but not of version
// 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/digest.hpp"
#include "formats/error.hpp"
#include "formats/record.hpp"
#include "formats/transform.hpp"

namespace tdz::formats {

inline constexpr std::uint8_t kVersionMajor = 1;
inline constexpr std::uint8_t kVersionMinor = 0;
inline constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

inline constexpr std::uint32_t kMinChunk = 64u << 10;
inline constexpr std::uint32_t kDefaultChunk = 1u << 20;
inline constexpr std::uint32_t kMaxChunk = 1u << 30;
inline constexpr std::uint32_t kMinFrame = 4096;
inline constexpr std::uint32_t kMaxPlaneGroups = 128;
inline constexpr std::uint32_t kMaxIndexEntries = 65536;
inline constexpr std::size_t kMaxSeekTableBytes = std::size_t{8} << 20;
inline constexpr std::size_t kMinHeaderBytes = 72;  ///< HDR without a sentence
inline constexpr std::size_t kEndBytes = 112;

/// How much longer a frame may be than its content. zstd's own bound is n + n/256 + 64 + header and checksum.
/// Twice that leaves room for other encoders, and still bounds the buffer of a reader.
constexpr std::uint64_t max_packed_bytes(std::uint64_t unpacked) {
  return unpacked + unpacked / 128 + 512;
}
/// The largest number of frames in a chunk of this length.
constexpr std::uint32_t max_frames(std::uint32_t chunk_bytes) {
  return chunk_bytes / kMinFrame + kMaxPlaneGroups;
}

/// A later minor version may add so many bytes to a record; today's readers skip them.
inline constexpr std::uint64_t kGrowthBytes = 4096;
inline constexpr std::uint64_t kMaxStepBytes = 4 + 8;  ///< id and length, then difference's tuple and order
inline constexpr std::uint64_t kMaxTransformBytes = 4 + kMaxSteps * kMaxStepBytes;
inline constexpr std::uint64_t kIndexEntryBytes = 40;

/// The length of the longest record of a kind, including prefix and check. A longer record is corrupt. 0 for
/// an unknown kind.
constexpr std::uint64_t max_record_bytes(RecordKind kind) {
  // CHK and INDX both start with 32 bytes of fields.
  constexpr std::uint64_t kFixed = kPrefixBytes + 32 + kCheckBytes;
  switch (kind) {
    case RecordKind::header:
      return 4096;
    case RecordKind::meta:
      return 65536;
    case RecordKind::chunk:
      return kFixed + 8 + kMaxSteps * kMaxStepBytes + std::uint64_t{8} * max_frames(kMaxChunk) + kGrowthBytes;
    case RecordKind::index:
      return kFixed + kMaxIndexEntries * (kMaxTransformBytes + kIndexEntryBytes) + kGrowthBytes;
    case RecordKind::end:
      return kEndBytes;
  }
  return 0;
}

/// HDR.
struct StreamHeader {
  std::uint8_t major = kVersionMajor;
  std::uint8_t minor = kVersionMinor;
  std::uint16_t must_understand = 0;  ///< a set bit that a reader does not know: unsupported
  std::uint16_t may_ignore = 0;
  std::uint64_t original_bytes = kUnknown;
  std::uint32_t largest_chunk = kDefaultChunk;
  std::uint32_t largest_frame = kDefaultChunk;
  NumberType nominal{};

  friend bool operator==(const StreamHeader&, const StreamHeader&) = default;
};
std::vector<std::byte> serialize(const StreamHeader& header);
Result<StreamHeader> parse_header(std::span<const std::byte> record, std::uint64_t where);

/// Marks the records that belong to a stream: XXH3-64 over the HDR record, then the digest of the first chunk
/// (8 bytes, little-endian; nothing if the stream has no chunks). Deterministic.
std::uint64_t stream_id(std::span<const std::byte> header_record, const std::uint64_t* first_digest);

struct FrameLengths {
  std::uint32_t packed = 0;    ///< bytes in the file
  std::uint32_t unpacked = 0;  ///< bytes of transformed data
  friend bool operator==(const FrameLengths&, const FrameLengths&) = default;
};

/// CHK, before the frames of each chunk.
struct ChunkRecord {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
  std::uint64_t original_offset = 0;
  std::uint32_t original_bytes = 0;
  std::uint64_t digest = 0;  ///< XXH3-64 of the original bytes
  Transform transform{};
  std::vector<FrameLengths> frames{};

  std::uint64_t packed_bytes() const;  ///< sum over the frames
  friend bool operator==(const ChunkRecord&, const ChunkRecord&) = default;
};
std::vector<std::byte> serialize(const ChunkRecord& chunk);
/// Also checks the record against the limits in the stream's header.
Result<ChunkRecord> parse_chunk(std::span<const std::byte> record, const StreamHeader& header,
                                std::uint64_t where);

/// The entry of one chunk in INDX.
struct IndexEntry {
  std::uint64_t record_offset = 0;  ///< offset of its CHK from the stream's first byte
  std::uint64_t original_offset = 0;
  std::uint64_t digest = 0;
  std::uint32_t original_bytes = 0;
  std::uint32_t stored_bytes = 0;  ///< CHK and frames together
  std::uint16_t transform = 0;     ///< its place in the part's table
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

/// INDX: an index part. It lists at most kMaxIndexEntries chunks, and links to the part before it.
struct IndexPart {
  std::uint64_t stream = 0;
  std::uint64_t first_chunk = 0;
  std::uint64_t previous = kUnknown;  ///< offset of the part before, from the stream's first byte
  std::vector<Transform> transforms{};
  std::vector<IndexEntry> entries{};
  friend bool operator==(const IndexPart&, const IndexPart&) = default;
};
std::vector<std::byte> serialize(const IndexPart& part);
Result<IndexPart> parse_index(std::span<const std::byte> record, std::uint64_t where);

/// END.
struct EndRecord {
  std::uint64_t stream = 0;
  std::uint64_t chunks = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t stream_bytes = 0;  ///< from HDR's first byte to END's last
  std::uint64_t last_index = kUnknown;
  std::uint64_t digest_of_digests = 0;  ///< XXH3-64 over the chunk digests, 8 bytes little-endian each
  Digest128 whole{};                    ///< XXH3-128 of the original
  std::uint32_t seek_bytes = 0;         ///< length of the SEEK frame that follows, 0 for none
  std::uint64_t seek_check = 0;         ///< XXH3-64 of that frame, 0 for none
  friend bool operator==(const EndRecord&, const EndRecord&) = default;
};
std::vector<std::byte> serialize(const EndRecord& end);
Result<EndRecord> parse_end(std::span<const std::byte> record, std::uint64_t where);

/// SEEK: the table of the zstd seekable format, without checksums. One entry a frame or record.
struct SeekEntry {
  std::uint32_t compressed = 0;
  std::uint32_t decompressed = 0;
};
inline constexpr std::size_t kSeekFooterBytes = 9;
constexpr std::uint64_t seek_table_bytes(std::uint64_t entries) {
  return 8 + entries * 8 + kSeekFooterBytes;
}
std::vector<std::byte> serialize_seek_table(std::span<const SeekEntry> entries);
/// The length of a SEEK frame that ends in these 9 bytes; 0 if they are not the footer of such a frame. A
/// hint: the caller must check it.
std::uint64_t seek_table_length_from_footer(std::span<const std::byte> footer);

}  // namespace tdz::formats
