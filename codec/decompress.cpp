// SPDX-License-Identifier: Apache-2.0
// Decompression: read records -> decode -> write, over the pipeline.
#include <deque>

#include "codec/chunk_coder.hpp"
#include "codec/options.hpp"
#include "codec/pipeline.hpp"
#include "codec/stream_reader.hpp"
#include "formats/digest.hpp"

namespace tdz {
namespace {

class Decompressor {
 public:
  Decompressor(Source& from, Sink& to, const DecompressOptions& options, Backend& backend)
      : options_(options), workers_(worker_count(options.threads)), reader_(from), to_(to), ring_(ring_size(workers_)) {
    const auto checksum = options.strict ? FrameChecksum::checked : FrameChecksum::ignored;
    for (unsigned worker = 0; worker < workers_; ++worker) decoders_.emplace_back(backend, checksum);
  }

  Result<Totals> run() {
    Pipeline pipeline(ring_.size(), workers_);
    const PipelineStages stages{[this](std::size_t slot) { return fill(ring_[slot]); },
                                [this](std::size_t slot, unsigned worker) { return work(ring_[slot], worker); },
                                [this](std::size_t slot) { return drain(ring_[slot]); }};
    if (auto done = pipeline.run(stages, options_.stop); !done) return done.error();
    totals_.stored_bytes = reader_.position();
    return totals_;
  }

 private:
  struct Slot {
    Buffer stored_memory;
    StreamEvent event;
    std::uint64_t stored_end = 0;  // how far the input was read when this slot was filled
    Buffer original_memory;
    std::span<const std::byte> original;
  };

  Result<bool> fill(Slot& slot) {
    auto event = reader_.next(slot.stored_memory);
    if (!event) return event.error();
    slot.event = std::move(*event);
    slot.stored_end = reader_.position();
    return !std::holds_alternative<EndOfInput>(slot.event);
  }

  Status work(Slot& slot, unsigned worker) {
    const auto* chunk = std::get_if<StoredChunk>(&slot.event);
    if (chunk == nullptr) return ok();
    const auto original = slot.original_memory.take(chunk->record.original_bytes);
    if (auto done = decoders_[worker].decode(chunk->record, chunk->packed, original); !done) {
      return in_chunk(*chunk, done.error());
    }
    slot.original = original;
    return to_.positioned() ? to_.write_at(chunk->original_offset, original) : ok();
  }

  Status drain(Slot& slot) {
    return std::holds_alternative<StoredChunk>(slot.event) ? drain_chunk(slot)
                                                           : end_stream(std::get<StoredEnd>(slot.event));
  }

  Status drain_chunk(const Slot& slot) {
    whole_.update128(slot.original);
    if (!to_.positioned()) {
      if (auto done = to_.write(slot.original); !done) return done;
    }
    totals_.original_bytes += slot.original.size();
    ++totals_.chunks;
    if (options_.progress) options_.progress({totals_.original_bytes, slot.stored_end});
    return ok();
  }

  Status end_stream(const StoredEnd& end) {
    totals_.digest = whole_.digest128();
    whole_ = formats::DigestStream();
    ++totals_.streams;
    if (totals_.digest != end.whole) {
      return Error{ErrorKind::corrupt, "the restored bytes as a whole do not match the digest at the stream's end"};
    }
    return ok();
  }

  static Error in_chunk(const StoredChunk& chunk, Error error) {
    error.message = "chunk " + std::to_string(chunk.record.number) + ": " + error.message;
    error.where = chunk.where;
    return error;
  }

  const DecompressOptions& options_;
  unsigned workers_;
  StreamReader reader_;
  Sink& to_;
  std::vector<Slot> ring_;
  std::deque<ChunkDecoder> decoders_;  // one a worker; a deque because they do not move
  formats::DigestStream whole_;
  Totals totals_;
};

}  // namespace

Result<Totals> decompress(Source& from, Sink& to, const DecompressOptions& options) {
  auto backend = choose_backend(options.backend, options.device, options.warn);
  if (!backend) return backend.error();
  try {
    return Decompressor(from, to, options, **backend).run();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace tdz
