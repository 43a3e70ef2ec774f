// SPDX-License-Identifier: Apache-2.0
// Reads streams in order from an input that may be a pipe, believes nothing, and hands out chunks to decode.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "codec/buffer.hpp"
#include "codec/exact_reader.hpp"
#include "codec/ledger.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A chunk whose record is sound and stands in its place. Its frames are still to be decoded and its digest checked.
struct StoredChunk {
  formats::ChunkRecord record;
  std::span<const std::byte> packed;
  std::uint64_t where = 0;            ///< of the record in the input
  std::uint64_t original_offset = 0;  ///< of the chunk in the whole output, concatenated streams included
};
/// A stream's end: everything about it was right but for the digest of the whole, which the caller compares.
struct StoredEnd {
  formats::Digest128 whole{};
};
struct EndOfInput {};
using StreamEvent = std::variant<StoredChunk, StoredEnd, EndOfInput>;

class StreamReader {
 public:
  explicit StreamReader(Source& source) : input_(source) {}
  /// The next event; a chunk's frames are put into `memory`. Not thread-safe. After an error or EndOfInput, the end.
  /// Errors: truncated, corrupt, unsupported, and the source's.
  Result<StreamEvent> next(Buffer& memory);

  std::uint64_t position() const { return input_.position(); }

 private:
  /// One stream's state; a new one with each HDR.
  struct Stream {
    formats::StreamHeader header;
    std::vector<std::byte> header_record;
    std::uint64_t begin = 0;  ///< in the input
    Ledger ledger;
  };
  using Record = std::span<const std::byte>;

  Result<bool> begin_stream();
  Result<std::size_t> read_head();
  Result<Record> read_record(const formats::RecordPrefix& prefix);
  Status read_meta(Record record, std::uint64_t where);
  Result<StreamEvent> read_chunk(Record record, std::uint64_t where, Buffer& memory);
  Status check_place(const formats::ChunkRecord& chunk, std::uint64_t where);
  Status read_index(Record record, std::uint64_t where);
  Result<StreamEvent> read_end(Record record, std::uint64_t where);
  Status read_seek_table(const Ledger::Closing& expected);

  ExactReader input_;
  std::optional<Stream> stream_;
  bool any_stream_ = false;
  std::uint64_t original_before_ = 0;  // bytes of the streams before this one
  std::array<std::byte, formats::kPrefixBytes> head_{};
  Buffer record_memory_;
};

}  // namespace tdz
