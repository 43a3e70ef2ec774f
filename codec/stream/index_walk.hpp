// SPDX-License-Identifier: Apache-2.0
// Goes through all parts of a stream's index, first to last, and holds each against the parts before it and
// against END: "Readers that begin at INDX" in FORMAT.md, section 5. Reads no chunk. Memory: one part.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/stream/stream_index.hpp"
#include "formats/stream/stream_records.hpp"

namespace tdz {

class IndexWalk {
 public:
  /// Goes back over the parts to the first one, and judges the stream's id. File and stream live longer than
  /// the walk. Errors, here and below: those of stream_index.hpp.
  static Result<IndexWalk> begin(RandomAccess& file, const FoundStream& stream);

  /// Goes to the next part. False behind the last one; then the index is right as a whole.
  Result<bool> next();
  const formats::IndexPart& part() const { return stored_.part; }
  /// The chain of the first chunk of this part.
  std::uint64_t chain() const { return part_chain_; }

 private:
  IndexWalk(RandomAccess& file, const FoundStream& stream)
      : file_(&file), stream_(&stream), behind_(stream.header_bytes) {}

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
  std::uint64_t behind_;  // the offset in the stream behind the last record
  std::uint64_t chunks_ = 0;
  std::uint64_t original_ = 0;
  std::uint64_t chain_ = formats::kFirstChain;
  std::uint64_t part_chain_ = formats::kFirstChain;
};

}  // namespace tdz
