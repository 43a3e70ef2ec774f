// SPDX-License-Identifier: Apache-2.0
// Reads streams from any chunk on. The index says where the chunk is; the records after it follow one
// another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/stream/stream_events.hpp"
#include "codec/stream/stream_index.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class IndexedReader final : public EventReader {
 public:
  /// Reads nothing yet. Preconditions: at least one stream; the file lives longer than the reader.
  IndexedReader(RandomAccess& file, std::vector<FoundStream> streams);
  /// Goes to the chunk with the byte at `offset` of the original; concatenated streams count as one original.
  /// If `offset` is at or after its end, the next event is EndOfInput.
  Status go_to(std::uint64_t offset);

  Result<StreamEvent> next(Buffer& memory) override;
  std::uint64_t position() const override { return bytes_read_; }
  void limit_memory(std::uint64_t bytes) override { memory_ = bytes; }
  NumberType nominal() const override { return streams_.front().header.nominal; }
  std::uint64_t original_bytes() const;

 private:
  Result<StreamEvent> read_chunk(const RawRecord& record, Buffer& memory);
  Result<bool> is_next(const formats::ChunkRecord& chunk);

  RandomAccess& file_;
  std::vector<FoundStream> streams_;
  std::size_t stream_ = 0;             // the current stream
  std::uint64_t original_before_ = 0;  // bytes of the streams before it
  /// The next chunk, as it should be. `where` may also be the place of an index part before the chunk.
  struct Place {
    std::uint64_t where = 0;  // in the file
    std::uint64_t number = 0;
    std::uint64_t original_offset = 0;  // in its stream
  };
  Place place_;
  std::optional<formats::IndexPart> part_;  // the index part that lists the next chunk or the one before
  std::uint64_t bytes_read_ = 0;
  std::uint64_t memory_ = ~std::uint64_t{0};
};

}  // namespace tdz
