// SPDX-License-Identifier: Apache-2.0
// Decompression: read records -> decode -> write, over the pipeline.
#include "codec/decompress.hpp"

#include <deque>
#include <memory>
#include <system_error>
#include <utility>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/device_decompressing.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/ranged_reader.hpp"

namespace tdz {

// ---- The output

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
  return differs ? corrupt("the restored bytes as a whole do not match the digest at the stream's end")
                 : ok();
}

// ---- The CPU

namespace {

class Decompressor {
 public:
  Decompressor(EventReader& reader, Sink* to, const DecompressOptions& options)
      : options_(options),
        reader_(reader),
        output_(to, options),
        memory_(memory_or_usual(options.memory)),
        size_(usual_size(worker_count(options.threads))) {
    reader.limit_memory(memory_);
  }

  Result<Totals> run() {
    do {
      if (auto done = run_once(); !done) return done.error();
    } while (large_);
    output_.totals.stored_bytes = reader_.position();
    return output_.totals;
  }

  // ---- The stages of the pipeline

  struct Slot {
    Buffer stored_memory;
    StreamEvent event;
    std::uint64_t stored_end = 0;  // the position in the input after this slot was filled
    Buffer original_memory;
    std::span<const std::byte> wanted;
  };

  Result<bool> fill(Slot& slot) {
    if (large_) {
      slot = std::move(*std::exchange(large_, nullptr));
      return true;
    }
    auto event = reader_.next(slot.stored_memory);
    if (!event) return event.error();
    slot.event = std::move(*event);
    slot.stored_end = reader_.position();
    if (std::holds_alternative<EndOfInput>(slot.event)) return false;
    const auto* chunk = std::get_if<StoredChunk>(&slot.event);
    return chunk == nullptr ? Result<bool>(true) : admit(*chunk, slot);
  }

  Status work(Slot& slot, unsigned worker) {
    const auto* chunk = std::get_if<StoredChunk>(&slot.event);
    if (chunk == nullptr) return ok();
    const auto original = slot.original_memory.take(chunk->chunk.record.original_bytes);
    if (auto done = decoders_[worker].decode(chunk->chunk, chunk->packed, original); !done) {
      return in_chunk(chunk->chunk.record.number, chunk->where, done.error());
    }
    slot.wanted = wanted_of(*chunk, original);
    return output_.at_once(*chunk, original);
  }

  Status drain(Slot& slot) {
    const auto* chunk = std::get_if<StoredChunk>(&slot.event);
    return chunk != nullptr ? output_.in_order(*chunk, slot.wanted, slot.stored_end)
                            : output_.end_stream(std::get<StoredEnd>(slot.event));
  }

 private:
  /// Runs to the end of the input, or to a chunk that is too large for the current number of slots.
  Status run_once() {
    ring_.clear();
    ring_.resize(size_.slots);
    decoders_.clear();
    for (unsigned worker = 0; worker < size_.workers; ++worker) decoders_.emplace_back();
    return run_pipeline(ring_, size_.workers, *this, options_.stop);
  }

  /// True if there is memory for this chunk. If not, the pipeline ends after the chunks before it, and a
  /// smaller one continues with this chunk.
  Result<bool> admit(const StoredChunk& chunk, Slot& slot) {
    if (auto done = output_.check_length(chunk); !done) return done.error();
    // Until the pipeline has ended, this chunk's slot is extra memory: a quarter of the limit is kept for it.
    const auto needs = decoding_needs(chunk.chunk);
    needs_ = larger_of(needs_, needs);
    const auto size = size_within(memory_ - memory_ / 4, size_, needs_).value_or(PipelineSize{});
    if (size == size_) return true;
    size_ = size;
    needs_ = needs;
    large_ = std::make_unique<Slot>(std::move(slot));
    return false;
  }

  const DecompressOptions& options_;
  EventReader& reader_;
  RestoredOutput output_;
  std::uint64_t memory_;
  PipelineSize size_;            // becomes smaller if a larger chunk comes
  MemoryNeeds needs_;            // of the chunks of this pipeline so far
  std::unique_ptr<Slot> large_;  // the chunk that needs a smaller pipeline; the first one in it
  std::vector<Slot> ring_;
  std::deque<ChunkDecoder> decoders_;  // one for each worker; a deque because decoders cannot be moved
};

}  // namespace

Result<Totals> restore(Source& from, Sink* to, const DecompressOptions& options) {
  return guarded_with_devices([&]() -> Result<Totals> {
    const auto use = decompressing_use(from, to, options);
    if (!use) return use.error();
    std::string reason = use->reason;
    try {
      if (use->file != nullptr) return decompress_on_device(*use, to, options);
    } catch (const std::system_error&) {
      if (use->required) throw;
      reason = no_thread().message;
    }
    const auto reader = reader_for(from, options.range);
    auto totals = Decompressor(*reader, to, options).run();
    if (totals && options.note && !reason.empty()) options.note("the CPU decodes: " + reason);
    return totals;
  });
}

Result<Totals> decompress(Source& from, Sink& to, const DecompressOptions& options) {
  return restore(from, &to, options);
}

Result<std::vector<std::byte>> decompress(std::span<const std::byte> stored,
                                          const DecompressOptions& options) {
  MemorySource from(stored);
  MemorySink to;
  auto totals = decompress(from, to, options);
  if (!totals) return totals.error();
  return std::move(to).take();
}

// ---- Verification

Result<Totals> verify_stream(Source& from, DecompressOptions options) {
  return restore(from, nullptr, options);
}

Status verify_against(Source& from, const Totals& original, DecompressOptions options) {
  const bool has_digest = original.digest != std::array<std::byte, 16>{};
  options.compare_digest = has_digest;
  const auto found = verify_stream(from, std::move(options));
  if (!found) return found.error();
  const bool same = found->original_bytes == original.original_bytes && found->chunks == original.chunks &&
                    (!has_digest || found->digest == original.digest);
  return same ? ok() : Status(Error{ErrorKind::corrupt, "the result decodes to different bytes"});
}

}  // namespace tdz
