// SPDX-License-Identifier: Apache-2.0
#include "codec/stream/stream_writer.hpp"

namespace tdz {

using namespace formats;

StreamWriter::StreamWriter(Sink& sink, const StreamHeader& header)
    : sink_(sink), header_record_(serialize(header)), ledger_(header_record_.size()) {}

/// Sets the stream id and writes HDR. The id needs the first chunk's digest, so this happens at the first
/// chunk.
Status StreamWriter::begin(const std::uint64_t* first_digest) {
  if (begun_) return ok();
  begun_ = true;
  ledger_.set_stream(stream_id(header_record_, first_digest));
  return sink_.write(header_record_);
}

Status StreamWriter::write_chunk(std::span<const std::byte> original, const Transform& transform,
                                 const EncodedChunk& encoded) {
  if (auto done = begin(&encoded.digest); !done) return done;
  const ChunkRecord chunk{ledger_.stream(),
                          ledger_.chunks(),
                          ledger_.original_bytes(),
                          static_cast<std::uint32_t>(original.size()),
                          encoded.digest,
                          transform,
                          encoded.frames};
  const auto record = serialize(chunk);
  if (auto done = sink_.write(record); !done) return done;
  if (auto done = sink_.write(encoded.packed); !done) return done;
  ledger_.add_chunk(chunk, record.size());
  whole_.update128(original);
  return ledger_.part_is_full() ? close_part() : ok();
}

Status StreamWriter::close_part() {
  const auto record = serialize(ledger_.close_part());
  ledger_.add_record(record.size());
  return sink_.write(record);
}

Result<Totals> StreamWriter::finish() {
  if (auto done = begin(nullptr); !done) return done.error();
  if (!ledger_.part_is_empty()) {
    if (auto done = close_part(); !done) return done.error();
  }
  const auto closing = ledger_.close(whole_.digest128());
  if (auto done = sink_.write(serialize(closing.end)); !done) return done.error();
  if (auto done = sink_.write(closing.seek); !done) return done.error();
  return Totals{closing.end.original_bytes, closing.end.stream_bytes + closing.seek.size(), closing.end.chunks, 1,
                closing.end.whole};
}

}  // namespace tdz
