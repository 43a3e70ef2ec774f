// SPDX-License-Identifier: Apache-2.0
// What a reader of streams hands out, whichever way it got there: from the front, or through the index.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "codec/chunk/buffer.hpp"
#include "formats/digest.hpp"
#include "formats/error.hpp"
#include "formats/records.hpp"

namespace tdz {

/// A chunk whose record is sound and stands in its place. Its frames are still to be decoded and its digest
/// checked.
struct StoredChunk {
  formats::ChunkRecord record;
  std::span<const std::byte> packed;
  std::uint64_t where = 0;            ///< of the record in the input
  std::uint64_t original_offset = 0;  ///< of the chunk in the whole original, concatenated streams included
  std::uint64_t output_offset = 0;    ///< where the wanted bytes go
  std::uint32_t skip = 0;             ///< of the chunk's bytes these many are decoded in vain,
  std::uint32_t wanted = 0;           ///< and then these are wanted
};
/// A stream's end: everything about it was right but for the digest of the whole, which the caller compares.
struct StoredEnd {
  formats::Digest128 whole{};
};
struct EndOfInput {};
using StreamEvent = std::variant<StoredChunk, StoredEnd, EndOfInput>;

class EventReader {
 public:
  virtual ~EventReader() = default;
  /// The next event; a chunk's frames are put into `memory`. Not thread-safe. After an error or EndOfInput,
  /// the end.
  virtual Result<StreamEvent> next(Buffer& memory) = 0;
  /// Bytes read so far.
  virtual std::uint64_t position() const = 0;
  /// A chunk that cannot be decoded within so much memory is Error limit, before any is taken for it.
  virtual void limit_memory(std::uint64_t bytes) = 0;
  /// What the first stream calls its numbers; known from the first event on.
  virtual NumberType nominal() const = 0;
};

}  // namespace tdz
