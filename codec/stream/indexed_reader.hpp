// SPDX-License-Identifier: Apache-2.0
// Reads streams from any chunk on. The index says where the chunk is, and what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/stream/index_walk.hpp"
#include "codec/stream/stream_events.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A chunk whose record was read, and nothing else of it.
struct ListedChunk {
  ParsedChunk chunk;
  std::uint64_t where = 0;            ///< of the record in the file
  std::uint64_t packed_at = 0;        ///< of its frames in the file
  std::uint64_t original_before = 0;  ///< bytes of the streams before its own
};

class IndexedReader final : public EventReader {
 public:
  /// Reads nothing yet. Preconditions: at least one stream; the file lives longer than the reader.
  IndexedReader(RandomAccess& file, std::vector<FoundStream> streams, Frames frames = Frames::read);
  /// Goes to the chunk with the byte at `offset` of the original; concatenated streams count as one original.
  /// If `offset` is at or after its end, the next event is EndOfInput. Checks all of this stream's index.
  Status go_to(std::uint64_t offset);

  Result<StreamEvent> next(Buffer& memory) override;
  /// The same without frames; nothing at the end.
  Result<std::optional<ListedChunk>> next_listed();
  std::uint64_t position() const override { return bytes_read_; }
  void limit_memory(std::uint64_t bytes) override { memory_ = bytes; }
  const std::string& type() const override { return streams_.front().header.type; }
  std::uint64_t original_bytes() const;

 private:
  const FoundStream& stream() const { return streams_[stream_]; }
  Status enter(std::uint64_t within);
  Status go_on();
  formats::ChunkRules rules() const;
  Result<bool> has_next();
  Result<ParsedChunk> read_record_of_entry();
  Result<ListedChunk> read_listed_chunk();

  RandomAccess& file_;
  std::vector<FoundStream> streams_;
  Frames frames_;
  std::size_t stream_ = 0;             // the current stream
  std::uint64_t original_before_ = 0;  // bytes of the streams before it
  std::optional<IndexWalk> walk_;      // at the part that lists the next chunk, or behind the last part
  std::size_t entry_ = 0;              // of the next chunk
  std::uint64_t chain_ = 0;            // of the next chunk
  std::uint64_t bytes_read_ = 0;
  std::uint64_t memory_ = ~std::uint64_t{0};
};

}  // namespace tdz
