// SPDX-License-Identifier: Apache-2.0
// What a stream has to say of itself at its end. The writer keeps the ledger to write INDX, END and SEEK; the reader
// keeps the same one and compares. Memory: one index part, and at most 8 MiB of seek table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/digest.hpp"
#include "formats/records.hpp"

namespace tdz {

class Ledger {
 public:
  /// `record_bytes` is the HDR's length.
  explicit Ledger(std::uint64_t header_bytes);

  void set_stream(std::uint64_t id) { stream_ = id; }
  std::uint64_t stream() const { return stream_; }

  /// Notes a record or frame that is no chunk: where the stream goes on, and its seek entry.
  void add_record(std::uint64_t bytes);
  /// Notes a chunk: its CHK of `record_bytes` and its frames.
  void add_chunk(const formats::ChunkRecord& chunk, std::uint64_t record_bytes);

  std::uint64_t position() const { return position_; }  ///< in the stream, after all that was added
  std::uint64_t chunks() const { return chunks_; }
  std::uint64_t original_bytes() const { return original_bytes_; }

  bool part_is_empty() const { return part_.entries.empty(); }
  bool part_is_full() const { return part_.entries.size() == formats::kMaxIndexEntries; }
  /// The index part since the last one; starts the next. The caller then adds its record.
  formats::IndexPart close_part();
  /// END, to stand at position(), and the SEEK frame that follows it (empty where it would be too long).
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
  std::optional<std::vector<formats::SeekEntry>> seek_;  // nothing once it grew too long
};

}  // namespace tdz
