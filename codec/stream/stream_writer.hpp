// SPDX-License-Identifier: Apache-2.0
// Writes one stream in order: HDR, the chunks, an index part whenever one is full, then END and SEEK.
#pragma once

#include <cstdint>
#include <span>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/stream/ledger.hpp"
#include "formats/digest.hpp"
#include "formats/records.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class StreamWriter {
 public:
  StreamWriter(Sink& sink, const formats::StreamHeader& header);
  /// Writes the next chunk. `original` is needed for the digest of the whole original.
  Status write_chunk(std::span<const std::byte> original, const Transform& transform, const EncodedChunk& encoded);
  /// Ends the stream. Nothing may be written after it.
  Result<Totals> finish();

  std::uint64_t original_bytes() const { return ledger_.original_bytes(); }
  std::uint64_t stored_bytes() const { return ledger_.position(); }

 private:
  Status begin(const std::uint64_t* first_digest);
  Status close_part();

  Sink& sink_;
  std::vector<std::byte> header_record_;
  bool begun_ = false;
  Ledger ledger_;
  formats::DigestStream whole_;
};

}  // namespace tdz
