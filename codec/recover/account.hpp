// SPDX-License-Identifier: Apache-2.0
// Answers one question about a damaged file: can a whole stream be missing that left no record at all? The
// answer is no if every stream ends exactly where the next one begins. An END record gives its stream's
// length and so its beginning. Without END, the ledger gives the length of the tail (INDX, END, SEEK), if all
// chunks follow one another without gaps. In every other case there may be room for a missing stream.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/stream/ledger.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// A stream that is not empty needs more bytes than this: its HDR, CHK, INDX and END, each as short as
/// possible, are longer.
inline constexpr std::uint64_t kLessThanAStream = 300;

/// The caller reports the file's streams, first to last, and the records of each stream in order. Not
/// thread-safe.
class Account {
 public:
  /// `header_bytes` is the length of the stream's HDR, or nothing if HDR is damaged.
  void begin_stream(std::uint64_t begin, std::optional<std::uint64_t> header_bytes);
  void add_chunk(const formats::ChunkRecord& chunk, std::uint64_t where, std::uint64_t record_bytes);
  /// An INDX record. `part` is its content, or null if the record is damaged.
  void add_index(const formats::IndexPart* part, std::uint64_t where, std::uint64_t record_bytes);
  void add_meta(std::uint64_t where, std::uint64_t record_bytes);
  /// The stream's END stands at `where`.
  void end_stream(const formats::EndRecord& end, std::uint64_t where, bool seek_is_sound);
  /// The stream is over, and its END is lost. `original_bytes` is the length of its original, if known.
  void lose_end(const std::optional<std::uint64_t>& original_bytes);
  bool is_open() const { return open_; }
  /// The offset at which the stream must have ended, if its original has `original_bytes` bytes and no
  /// further chunk follows. Nothing if its records have gaps between them.
  std::optional<std::uint64_t> tail_end(const std::optional<std::uint64_t>& original_bytes);

  /// True if there is room for an unknown stream. Says nothing about chunks that are known to be missing.
  /// Error io.
  Result<bool> leaves_room(RandomAccess& file) const;

 private:
  struct Stream {
    std::uint64_t begin = 0;
    bool begin_is_known = false;  // from an intact HDR, or from an index: its offsets count from HDR
    bool in_line = true;          // each record begins where the one before ends
    std::optional<Ledger> ledger = {};  // starts with the first record that has a known place
    std::uint64_t meta_bytes = 0;       // END may not count META: another program may have inserted it
    std::optional<std::uint64_t> tail_end = {};
  };
  void expect(std::uint64_t where);

  Stream stream_;
  bool open_ = false;
  bool room_ = false;         // there is room for an unknown stream before the current one
  std::uint64_t behind_ = 0;  // where the last stream ends
  std::uint64_t tail_begin_ = 0;  // where the last stream's lost tail begins
  std::vector<std::byte> tail_;   // the bytes that the lost tail must have had, as far as they are known
  bool zeros_may_follow_ = false;
};

}  // namespace tdz
