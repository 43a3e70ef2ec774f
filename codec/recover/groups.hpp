// SPDX-License-Identifier: Apache-2.0
// Which records of a damaged file belong together, and which of the streams that they make are streams of the
// file: FORMAT.md, section 5, "After damage", points 1 to 5. Memory: about 100 bytes for each chunk that was
// found, and 200 more where a stream lies in parts. Time: n log n for n records and entries of the index. Not
// thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "formats/stream/chunk.hpp"
#include "formats/stream/stream_records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- Points 1 to 4: records that belong together. No byte of the file is read here.

/// Where a record stands. An offset in its stream, if the record has one, gives the begin of the stream. This
/// may lie before the file, if the first bytes of the file are gone.
struct Place {
  std::uint64_t tag = 0;
  std::int64_t begin = 0;
  std::uint64_t where = 0;       ///< in the file
  std::uint64_t record_end = 0;  ///< in the file
};

/// A CHK whose check holds.
struct FoundChunk {
  std::uint64_t where = 0;
  std::uint64_t number = 0;
  std::uint64_t original_offset = 0;
  std::uint64_t digest = 0;
  std::uint64_t chain = 0;
  std::uint32_t original_bytes = 0;
  std::uint32_t record_bytes = 0;
  std::uint32_t packed_bytes = 0;  ///< of its frames
  /// Another group has this CHK now; forget_those_that_left() removes it here.
  bool has_left = false;

  std::uint64_t original_end() const { return original_offset + original_bytes; }
  std::uint64_t frames_begin() const { return where + record_bytes; }
  std::uint64_t frames_end() const { return frames_begin() + packed_bytes; }
};

/// An HDR whose check holds.
struct FoundHeader {
  std::uint64_t where = 0;
  std::vector<std::byte> record{};
  std::optional<formats::StreamHeader> header{};  ///< none: of another version
};

/// What INDX says of one chunk.
struct Listed {
  std::uint64_t number = 0;
  std::uint64_t original_offset = 0;
  std::uint64_t digest = 0;
};

/// Records of one stream: of one tag and one begin, or several groups that were joined.
struct Group {
  std::uint64_t tag = 0;
  std::int64_t begin = 0;         ///< of the records that come first in the file
  std::uint64_t first = 0;        ///< the place of the first record, except HDR
  std::uint64_t records_end = 0;  ///< where the last record ends
  std::uint64_t extent_end = 0;   ///< the same, or where the frames end that a CHK promises
  /// From the first to the last record of one begin; of joined groups the largest.
  std::uint64_t widest_span = 0;
  std::uint64_t longest_record = 0;  ///< the bytes of the longest CHK; set by forget_those_that_left()
  std::vector<FoundChunk> chunks{};  ///< by number
  std::vector<Listed> listed{};      ///< by number
  std::uint64_t listed_end = 0;      ///< of the original, by INDX
  bool has_last_index_part = false;
  std::optional<formats::EndRecord> end{};
  std::shared_ptr<const FoundHeader> header{};  ///< many groups may have one

  /// Of this chunk, from CHK or INDX.
  std::optional<std::uint64_t> digest(std::uint64_t number) const;
  /// The length of the original, as far as END, INDX or HDR says it.
  std::optional<std::uint64_t> original_bytes() const;
  void cover(const Place& place);
};

/// Takes the records of a file in their order.
class Grouping {
 public:
  /// `work` counts visits of chunks, entries and pairs of groups.
  explicit Grouping(std::uint64_t& work) : work_(work) {}

  void add(const Place& place, const FoundChunk& chunk);
  void add(const Place& place, const formats::IndexPart& part);
  void add(const Place& place, const formats::EndRecord& end);
  /// A note only shows that its stream was here.
  void add(const Place& place);
  void add(FoundHeader header) { headers_.push_back(std::make_shared<const FoundHeader>(std::move(header))); }

  /// The streams, after joining, in the order of their first records. A header is a stream too, if it is all
  /// that is left of one.
  std::vector<Group> streams() &&;

 private:
  Group& group_of(const Place& place);
  Group& begin_group(const Place& place);
  std::vector<FoundChunk> strangers(Group& group, std::uint64_t from, std::uint64_t to);
  void forget_those_that_left();
  void take_headers_in_place();
  void take_other_headers(std::vector<Group>& streams);

  std::vector<Group> groups_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> latest_;  // group of this tag and begin
  std::vector<std::shared_ptr<const FoundHeader>> headers_;
  std::uint64_t& work_;
};

/// What the index says of this chunk, or null.
inline const Listed* entry_of(const std::vector<Listed>& listed, std::uint64_t number) {
  const auto entry = std::ranges::lower_bound(listed, number, {}, &Listed::number);
  return entry != listed.end() && entry->number == number ? &*entry : nullptr;
}

inline bool is_same(const Listed& entry, const FoundChunk& chunk) {
  return entry.digest == chunk.digest && entry.original_offset == chunk.original_offset;
}

/// The chain of chunk `target`, from the chain of chunk `number` and the digests from there on. None if one
/// of these is not known.
template <class DigestOf>
std::optional<std::uint64_t> chain_at(std::uint64_t target, std::uint64_t number, std::uint64_t chain,
                                      const DigestOf& digest_of) {
  for (; number < target; ++number) {
    const std::optional<std::uint64_t> digest = digest_of(number);
    if (!digest) return std::nullopt;
    chain = formats::next_chain(chain, *digest);
  }
  return chain;
}

/// Joins groups of one tag wherever the one is proven to be a part of the other. After an amount of work for
/// each record the rest stays apart. `work` counts it.
std::vector<Group> join_groups(std::vector<Group> groups, std::uint64_t& work);

// ---- Point 5: streams of the file. The others lie inside frames of those, because an original may hold .tdz
// files.

struct FileStream {
  Group group;
  bool is_at_front = false;    ///< it begins at the file's first byte, or right after a stream that does
  bool hides_others = false;   ///< others were left out, although it is not certain that they lie in this one
  bool last_may_hide = false;  ///< they lie in the frames of its last chunk, if these frames are intact
};

/// No chunk is missing after the last one that was found.
bool has_all_chunks(const Group& group);
/// The end of the lost rest of a stream, at most. Precondition: its length is known.
std::uint64_t farthest_end(const Group& group);
/// The first byte that is not zero, from `from` on. Error io.
Result<std::uint64_t> after_zeros(RandomAccess& file, std::uint64_t from);

/// Takes streams in the order of their first records. Error io.
Result<std::vector<FileStream>> streams_of_file(std::vector<Group> streams, RandomAccess& file);

}  // namespace tdz
