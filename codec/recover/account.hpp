// SPDX-License-Identifier: Apache-2.0
// Could a whole stream have gone from a damaged file without a trace? Not where every stream reaches exactly
// to where the next one begins: one with its END says itself where it began, and one of which all chunks
// stand in line has a tail that can only be as long as the ledger makes it. Everything else leaves room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/stream/ledger.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// HDR, CHK, INDX and END, each at its shortest, are longer: this many bytes hold no stream that has bytes.
inline constexpr std::uint64_t kLessThanAStream = 300;

/// Told of a file's streams, first to last, and of the records of each. Not thread-safe.
class Account {
 public:
  /// `header_bytes` is the length of its HDR, if that is sound.
  void begin_stream(std::uint64_t begin, std::optional<std::uint64_t> header_bytes);
  void add_chunk(const formats::ChunkRecord& chunk, std::uint64_t where, std::uint64_t record_bytes);
  /// INDX, with what it says if it is sound.
  void add_index(const formats::IndexPart* part, std::uint64_t where, std::uint64_t record_bytes);
  void add_meta(std::uint64_t where, std::uint64_t record_bytes);
  /// The stream ends, at `where`.
  void end_stream(const formats::EndRecord& end, std::uint64_t where, bool seek_is_sound);
  /// The stream is over, and its END is lost. `original_bytes`, if known, are those of all its chunks.
  void lose_end(const std::optional<std::uint64_t>& original_bytes);
  bool is_open() const { return open_; }
  /// Where the stream must have ended if these are its bytes and nothing more of it follows; nothing where
  /// not all of it stands in line.
  std::optional<std::uint64_t> tail_end(const std::optional<std::uint64_t>& original_bytes);

  /// Is there room for anything that is not known? Says nothing of chunks that are known to be missing. Error
  /// io.
  Result<bool> leaves_room(RandomAccess& file) const;

 private:
  struct Stream {
    std::uint64_t begin = 0;
    bool begin_is_known = false;   // by a sound HDR, or by an index that counts from it
    bool in_line = true;           // each record stands where the one before ends
    std::optional<Ledger> ledger = {};  // from the first record on whose place is known
    std::uint64_t meta_bytes = 0;       // whoever put META in may not have told END
    std::optional<std::uint64_t> tail_end = {};
  };
  void expect(std::uint64_t where);

  Stream stream_;
  bool open_ = false;
  bool room_ = false;         // for something unknown, somewhere before
  std::uint64_t behind_ = 0;  // where the last stream ends
  std::uint64_t tail_begin_ = 0;  // what stands between its last sound record and that,
  std::vector<std::byte> tail_;   // as far as that is known
  bool zeros_may_follow_ = false;
};

}  // namespace tdz
