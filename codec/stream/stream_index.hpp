// SPDX-License-Identifier: Apache-2.0
// Finds streams from their ends, and records at known offsets, without decoding. END says how long its stream
// is, so the streams of a file are found one by one from the last to the first: FORMAT.md, section 5. Errors
// of all functions: corrupt, truncated, unsupported, and those of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/stream/stream_records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Records in memory, one after another: read by one thread, so that several can judge them. Thread-safe
/// where nothing is added.
class RecordList {
 public:
  std::size_t size() const { return ends_.size(); }
  std::size_t bytes() const { return ends_.empty() ? 0 : ends_.back(); }
  std::span<const std::byte> operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(bytes_).subspan(begin, ends_[i] - begin);
  }

  /// Room for the record after those that were kept. What an earlier call gave becomes invalid; its bytes are
  /// also the first ones here. Throws std::bad_alloc.
  std::span<std::byte> next(std::size_t bytes) {
    bytes_.resize(this->bytes() + bytes);
    return std::span(bytes_).subspan(this->bytes());
  }
  /// Keeps what next() gave last.
  void keep() { ends_.push_back(bytes_.size()); }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;
};

// ---- Streams and records

/// A stream whose header and end were found. Nothing in between was looked at.
struct FoundStream {
  std::uint64_t begin = 0;         ///< of HDR in the file
  std::uint64_t header_bytes = 0;  ///< of the whole HDR
  formats::StreamHeader header;
  formats::EndRecord end;

  std::uint64_t end_offset() const { return end.stream_bytes - formats::kEndLength; }  ///< in the stream
};
/// All streams of a file, first to last. Error limit too: the list is longer than `memory`.
Result<std::vector<FoundStream>> find_streams(RandomAccess& file, std::uint64_t memory = ~std::uint64_t{0});
/// The last stream that ends at or before `limit`.
Result<FoundStream> last_stream(RandomAccess& file, std::uint64_t limit);
/// All records of a stream except HDR have its id as their tag. The id comes from HDR and the digest of chunk
/// 0, if there is one: so this proves that header, first chunk and end belong together.
Status check_id(RandomAccess& file, const FoundStream& stream, std::optional<std::uint64_t> first_digest);

/// A whole record as it is in the file. Only its prefix was judged.
struct RawRecord {
  formats::RecordPrefix prefix;
  std::vector<std::byte> bytes;
};
/// The record at `offset`, of an allowed kind, which must end at or before `limit`.
Result<RawRecord> read_record(RandomAccess& file, formats::Allowed allowed, std::uint64_t offset,
                              std::uint64_t limit);
/// The same, added to a list.
Status read_record(RandomAccess& file, formats::Allowed allowed, std::uint64_t offset, std::uint64_t limit,
                   RecordList& into);

/// A part of the index, and its length in the file.
struct StoredPart {
  formats::IndexPart part;
  std::uint64_t bytes = 0;
};
/// The part at this offset of the stream, which must end at or before `limit` there. Tag, offset and the flag
/// of the last part were judged. Nothing judged its entries against other parts or chunks.
Result<StoredPart> read_part(RandomAccess& file, const FoundStream& stream, std::uint64_t offset,
                             std::uint64_t limit);

// ---- The index as a whole

/// Goes through all parts of a stream's index, first to last, and holds each against the parts before it and
/// against END: "Readers that begin at INDX" in FORMAT.md, section 5. Reads no chunk. Memory: one part.
class IndexWalk {
 public:
  /// Goes back over the parts to the first one, and judges the stream's id. File and stream live longer than
  /// the walk. Errors, here and below: those of stream_index.hpp.
  static Result<IndexWalk> begin(RandomAccess& file, const FoundStream& stream);

  /// Goes to the next part. False after the last one; then the index is right as a whole.
  Result<bool> next();
  const formats::IndexPart& part() const { return stored_.part; }
  /// The chain of the first chunk of this part.
  std::uint64_t chain() const { return part_chain_; }

 private:
  IndexWalk(RandomAccess& file, const FoundStream& stream)
      : file_(&file), stream_(&stream), after_(stream.header_bytes) {}

  Status go_back();
  Status check_part();
  Status check_totals();
  Status step_over_notes(std::uint64_t until);
  Error broken(const char* what) const;

  RandomAccess* file_;
  const FoundStream* stream_;
  std::vector<std::uint64_t> offsets_;  // of the parts that are still to come, last to first
  StoredPart stored_;                   // at the beginning already the first part

  // What the parts up to this one say.
  bool begun_ = false;
  std::uint64_t after_;  // the offset in the stream after the last record
  std::uint64_t chunks_ = 0;
  std::uint64_t original_ = 0;
  std::uint64_t chain_ = formats::kFirstChain;
  std::uint64_t part_chain_ = formats::kFirstChain;
};

}  // namespace tdz
