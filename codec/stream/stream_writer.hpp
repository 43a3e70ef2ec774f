// SPDX-License-Identifier: Apache-2.0
// Writes one stream in order: HDR, the chunks, a part of the index whenever one is full, then END. With
// protection also parity notes, whenever an area is full and before END.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "codec/protect/parity.hpp"
#include "formats/digest.hpp"
#include "formats/stream/stream_state.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

class StreamWriter {
 public:
  /// `whole_digest`: END gets the XXH3-128 of the whole original, and not none.
  StreamWriter(Sink& sink, const formats::StreamHeader& header, bool whole_digest, Protect protect = {});
  /// The same with the bytes of an HDR that exists.
  StreamWriter(Sink& sink, const formats::StreamHeader& header, std::vector<std::byte> header_record,
               bool whole_digest, Protect protect);
  /// Writes the next chunk; fills its place in the stream. `original` is needed for the digest of the whole.
  Status write_chunk(std::span<const std::byte> original, EncodedChunk& chunk);
  /// The two halves of write_chunk(), each for all chunks in order. Two threads may do them at once.
  void add_to_digest(std::span<const std::byte> original);
  Status write_encoded(EncodedChunk& chunk);
  /// Ends the stream. Nothing may be written after it. `whole`: an END whose digest of the whole original
  /// this one gets; without it the digest of what was added.
  Result<Totals> finish(const formats::EndRecord* whole = nullptr);

  std::uint64_t original_bytes() const { return original_bytes_; }
  std::uint64_t stored_bytes() const { return state_.offset(); }

 private:
  Status begin();
  Status put(std::span<const std::byte> bytes);
  Status put_notes(const std::optional<formats::EndRecord>& end);
  bool is_for_gpu(const formats::ChunkRecord& record);
  Status close_part(bool last);

  Sink& sink_;
  std::vector<std::byte> header_record_;
  formats::StreamState state_;
  std::optional<AreaWriter> parity_;
  bool whole_digest_;
  bool begun_ = false;
  std::uint64_t chunks_ = 0;
  std::uint64_t gpu_chunks_ = 0;  // with a list of uniform blocks, or with packed groups
  std::vector<std::byte> last_plan_;
  bool last_is_packed_ = false;  // for a device
  std::uint64_t original_bytes_ = 0;
  formats::DigestStream whole_;
};

}  // namespace tdz
