// SPDX-License-Identifier: Apache-2.0
// Collects what the end of a stream says about it. The writer uses the ledger to write INDX, END and SEEK;
// the reader keeps the same ledger and compares. Memory: one index part, and at most 8 MiB of seek table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/digest.hpp"
#include "formats/records.hpp"

namespace tdz {

class Ledger {
 public:
  /// `header_bytes` is the length of HDR.
  explicit Ledger(std::uint64_t header_bytes);

  void set_stream(std::uint64_t id) { stream_ = id; }
  std::uint64_t stream() const { return stream_; }

  /// Adds a record that is not a chunk: moves position() on and adds a seek entry.
  void add_record(std::uint64_t bytes);
  /// Adds a chunk: its CHK record, of `record_bytes` bytes, and its frames.
  void add_chunk(const formats::ChunkRecord& chunk, std::uint64_t record_bytes);

  std::uint64_t position() const { return position_; }  ///< in the stream, after everything added so far
  std::uint64_t chunks() const { return chunks_; }
  std::uint64_t original_bytes() const { return original_bytes_; }

  bool part_is_empty() const { return part_.entries.empty(); }
  bool part_is_full() const { return part_.entries.size() == formats::kMaxIndexEntries; }
  /// Returns the index part for the chunks since the last one, and starts the next part. The caller then adds
  /// the part's record.
  formats::IndexPart close_part();
  /// END, for the place position(), and the SEEK frame after it (empty if it would be too long).
  struct Closing {
    formats::EndRecord end;
    std::vector<std::byte> seek;
  };
  Closing close(const formats::Digest128& whole) const;

 private:
  void add_seek(std::uint64_t compressed, std::uint64_t decompressed);
  std::uint16_t transform_number(const Transform& transform);

  std::uint64_t stream_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t original_bytes_ = 0;
  std::uint64_t last_index_ = formats::kUnknown;
  formats::IndexPart part_;
  formats::DigestStream digests_;
  std::optional<std::vector<formats::SeekEntry>> seek_;  // nothing after it became too long
};

}  // namespace tdz
