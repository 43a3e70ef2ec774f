// SPDX-License-Identifier: Apache-2.0
// Finding streams from their ends and chunks through the index, without decoding: END says how long its
// stream is, so a file of several streams is walked backwards one by one. Errors: corrupt, truncated,
// unsupported, and the file's.
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

  std::uint64_t behind_end() const { return begin + end.stream_bytes; }  ///< END's last byte and one
};
/// All streams of a file, first to last.
Result<std::vector<FoundStream>> find_streams(RandomAccess& file);

/// A whole record as it stands in the file, its prefix checked and nothing else.
struct RawRecord {
  formats::RecordPrefix prefix;
  std::vector<std::byte> bytes;
};
/// The record at `offset`, which must end at or before `limit`.
Result<RawRecord> read_record(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);
/// The same, of the wanted kind.
Result<std::vector<std::byte>> read_record(RandomAccess& file, formats::RecordKind kind, std::uint64_t offset,
                                           std::uint64_t limit);

/// The record behind the header, at `offset`; a META there is stepped over.
Result<RawRecord> record_behind_header(RandomAccess& file, std::uint64_t offset, std::uint64_t limit);

/// The last END before `limit`, and where it stands.
struct FoundEnd {
  formats::EndRecord end;
  std::uint64_t offset = 0;
};
Result<FoundEnd> find_end(RandomAccess& file, std::uint64_t limit);

/// The index part at `offset` in the stream that begins at `begin`.
Result<formats::IndexPart> read_part(RandomAccess& file, std::uint64_t begin, std::uint64_t offset,
                                     std::uint64_t limit);

/// The part that lists the chunk with the byte at `original_offset`. Precondition: the stream has it.
Result<formats::IndexPart> find_part(RandomAccess& file, const FoundStream& stream,
                                     std::uint64_t original_offset);

}  // namespace tdz
