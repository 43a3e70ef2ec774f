// SPDX-License-Identifier: Apache-2.0
#include "codec/restore/restored_output.hpp"

#include "codec/stream/memory_limit.hpp"

namespace tdz {

Status RestoredOutput::check_length(const StoredChunk& chunk) const {
  const std::uint64_t most = options_.max_output;
  if (chunk.wanted <= most && chunk.output_offset <= most - chunk.wanted) return ok();
  return Error{ErrorKind::limit, longer_than(most), chunk.where};
}

Status RestoredOutput::at_once(const StoredChunk& chunk, std::span<const std::byte> original) {
  const bool takes = to_ != nullptr && to_->positioned();
  return takes ? to_->write_at(chunk.output_offset, wanted_of(chunk, original)) : ok();
}

Status RestoredOutput::in_order(const StoredChunk& chunk, std::span<const std::byte> wanted,
                                std::uint64_t stored_end) {
  if (options_.compare_digest) whole_.update(wanted);
  if (to_ != nullptr && !to_->positioned()) {
    if (auto done = to_->write(wanted); !done) return done;
  }
  totals.original_bytes += chunk.wanted;
  ++totals.chunks;
  if (options_.progress) options_.progress({totals.original_bytes, stored_end});
  return ok();
}

Status RestoredOutput::end_stream(const StoredEnd& stored) {
  ++totals.streams;
  if (!options_.compare_digest) return ok();
  totals.digest = whole_.digest();
  whole_ = formats::DigestStream();
  const bool differs = stored.end.whole_kind == 1 && stored.end.whole != totals.digest;
  return differs ? corrupt("the restored bytes as a whole do not match the digest at the stream's end") : ok();
}

}  // namespace tdz
