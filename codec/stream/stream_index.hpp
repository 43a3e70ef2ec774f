// SPDX-License-Identifier: Apache-2.0
// Finds streams from their ends and chunks through the index, without decoding. END says how long its stream
// is, so the streams of a file are found one by one from the last to the first. Errors of all functions:
// corrupt, truncated, unsupported, and those of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A stream whose header, first chunk and end belong together.
struct FoundStream {
  std::uint64_t begin = 0;  ///< of HDR in the file
  std::uint64_t header_bytes = 0;
  formats::StreamHeader header;
  formats::EndRecord end;

  std::uint64_t behind_end() const { return begin + end.stream_bytes; }  ///< the offset after END
};
/// All streams of a file, first to last.
Result<std::vector<FoundStream>> find_streams(RandomAccess& file);

/// A whole record as it is in the file. Only its prefix is checked.
struct RawRecord {
  formats::RecordPrefix prefix;
  std::vector<std::byte> bytes;
};
/// The record at `offset`, which must end at or before `limit`.
Result<RawRecord> read_record(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);
/// The same. Error corrupt if the record has another kind.
Result<std::vector<std::byte>> read_record(RandomAccess& file, formats::RecordKind kind, std::uint64_t offset,
                                           std::uint64_t limit);

/// The record after the header, at `offset`. Steps over a META record.
Result<RawRecord> record_behind_header(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);

/// The last END before `limit`, and its offset.
struct FoundEnd {
  formats::EndRecord end;
  std::uint64_t offset = 0;
};
Result<FoundEnd> find_end(RandomAccess& file, std::uint64_t limit);

/// The index part at `offset` in the stream that begins at `begin`.
Result<formats::IndexPart> read_part(RandomAccess& file, std::uint64_t begin, std::uint64_t offset,
                                     std::uint64_t limit);

/// The index part that lists the chunk with the byte at `original_offset` of the stream's original.
/// Precondition: the original has this byte.
Result<formats::IndexPart> find_part(RandomAccess& file, const FoundStream& stream,
                                     std::uint64_t original_offset);

}  // namespace tdz
