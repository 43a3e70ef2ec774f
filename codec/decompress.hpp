// SPDX-License-Identifier: Apache-2.0
// What decompression on the CPU, on devices, and verification share.
#pragma once

#include <cstdint>
#include <span>

#include "codec/stream/stream_reader.hpp"
#include "formats/digest.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The work of decompress(), and of a verification. `to` is null if nobody wants the bytes: then a device
/// needs to return none.
Result<Totals> restore(Source& from, Sink* to, const DecompressOptions& options);

// ---- Verification: a stream is decoded, and the decoded bytes are thrown away

/// Decodes everything and writes nothing. Errors: those of decompress.
Result<Totals> verify_stream(Source& from, DecompressOptions options);

/// The same for a stream that was just written; `original` is the result of that compression. Also Error
/// corrupt if the stream decodes to other bytes, by the digest of the whole original.
Status verify_against(Source& from, const Totals& original, DecompressOptions options);

// ---- The output

/// What becomes of chunks that are decoded: they are written, counted, and told about.
class RestoredOutput {
 public:
  /// `to` is null if nobody wants the bytes. Both live longer than this.
  RestoredOutput(Sink* to, const DecompressOptions& options) : to_(to), options_(options) {}

  /// Error limit for a chunk that makes the output too long.
  Status check_length(const StoredChunk& chunk) const;

  /// Whether anyone wants the bytes of chunks.
  bool needs_bytes() const { return to_ != nullptr || options_.compare_digest; }
  /// Whether in_order() needs them too. If not, at_once() took all that is wanted of them.
  bool needs_bytes_in_order() const {
    return options_.compare_digest || (to_ != nullptr && !to_->positioned());
  }
  /// Writes a decoded chunk to its place, if the sink can do that. Any thread, any order.
  Status at_once(const StoredChunk& chunk, std::span<const std::byte> original);
  /// The same chunks again, in order, one at a time. `wanted`: the wanted bytes, if this needs them.
  /// `stored_end`: bytes of the input up to the end of this chunk.
  Status in_order(const StoredChunk& chunk, std::span<const std::byte> wanted, std::uint64_t stored_end);
  /// The end of a stream, after its chunks.
  Status end_stream(const StoredEnd& stored);

  Totals totals;

 private:
  Sink* to_;
  const DecompressOptions& options_;
  formats::DigestStream whole_;
};

/// The wanted part of a chunk's original.
inline std::span<const std::byte> wanted_of(const StoredChunk& chunk, std::span<const std::byte> original) {
  return original.subspan(chunk.skip, chunk.wanted);
}

}  // namespace tdz
