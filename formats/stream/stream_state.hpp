// SPDX-License-Identifier: Apache-2.0
// What the records of a stream so far say about the next one. A reader judges by it, a writer fills records
// from it, so both follow the same rules. FORMAT.md, sections 1, 2 and 5. One thread at a
// time.
#pragma once

#include <map>
#include <string>

#include "formats/stream/chunk.hpp"
#include "formats/stream/stream_records.hpp"

namespace tdz::formats {

class StreamState {
 public:
  /// `record` is the whole HDR.
  StreamState(const StreamHeader& header, std::span<const std::byte> record);

  /// The kinds that the grammar allows next.
  Allowed allowed() const;
  /// The offset of the next record in the stream.
  std::uint64_t offset() const { return offset_; }

  /// For parse_chunk; the caller adds what it knows of plans. Do not use it longer than this object.
  ChunkRules chunk_rules() const;
  /// For a writer: fills tag, offset, number, original offset and chain. The digest must be there.
  void place(ChunkRecord& chunk) const;
  /// Can the open part of the index list a chunk with this plan? If not, a writer closes the part first.
  bool can_list(const std::vector<std::byte>& plan) const;
  /// Goes on after CHK and frames.
  void add(const ChunkRecord& chunk, std::uint64_t stored_bytes);

  /// The part that lists all chunks since the part before.
  IndexPart index_part(bool last) const;
  /// Goes on after INDX.
  void add(const IndexPart& part, std::uint64_t record_bytes);

  /// Goes on after notes that this writer made; their length.
  void add_notes(std::uint64_t bytes) { offset_ += bytes; }

  /// END, without the digest of the whole original.
  EndRecord end() const;
  /// For parse_end.
  EndRules end_rules() const;

  /// Judges tag and offset, and goes on after the note. The tag of a note before chunk 0 is judged with that
  /// of chunk 0, or with END's.
  Fault add(const Note& note, std::uint64_t record_bytes, std::uint64_t where);

 private:
  std::uint64_t tag_of_chunk(std::uint64_t digest) const;
  std::uint64_t tag_of_end() const;
  bool notes_have(std::uint64_t tag) const;
  bool has_unlisted() const { return !entries_.empty(); }

  StreamHeader header_;
  std::vector<std::byte> header_record_;
  std::optional<std::uint64_t> tag_{};       ///< known from chunk 0 on
  std::optional<std::uint64_t> note_tag_{};  ///< of notes before chunk 0
  bool note_tags_differ_ = false;
  std::uint64_t offset_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t original_ = 0;
  std::uint64_t chain_ = kFirstChain;
  std::uint64_t last_part_ = kNone;
  bool closed_ = false;  ///< the last part of the index was there

  // The open part of the index.
  std::vector<IndexEntry> entries_{};
  std::vector<std::vector<std::byte>> plans_{};
  std::map<std::string, std::uint16_t> plan_numbers_{};  ///< by the bytes of the plan
  std::size_t plan_bytes_ = 0;
};

}  // namespace tdz::formats
