// SPDX-License-Identifier: Apache-2.0
#include "codec/restore/device_restoring.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "codec/restore/batch_decoder.hpp"
#include "codec/restore/restored_output.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_events.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {
namespace {

constexpr std::size_t kMostEvents = 4096;  ///< of a batch: many streams may be short
constexpr std::uint64_t kMostAhead = 128u << 20;  ///< of records: those of 30 GiB and more

class DeviceRestoring {
 public:
  DeviceRestoring(const DeviceUse& use, Sink* to, const DecompressOptions& options)
      : use_(use),
        options_(options),
        output_(to, options),
        record_(options.warn),
        reader_(records_of(*use.file, options.range)),
        workers_(std::min(worker_count(options.threads), use.batches)),
        ring_(workers_ + 1),
        start_(use.make) {
    const std::uint64_t memory = options.memory != 0 ? options.memory : usual_memory();
    reader_->limit_memory(memory);
    ahead_.emplace(*reader_, std::min(memory / 8, kMostAhead));
    // To verify, an H200 takes 490 ms for 16 GiB beside 12 threads, and 520 to 610 beside 18, of 16 cores. To restore,
    // threads wait for pages.
    const unsigned spare = to != nullptr ? workers_ - 1 : 0;
    const unsigned threads = (worker_count(options.threads) + spare) / workers_;
    for (unsigned worker = 0; worker < workers_; ++worker)
      decoders_.emplace_back(*use.file, record_, BatchLimits{threads, use.memory, use.device_memory});
  }

  Result<Totals> run() {
    // Nothing may be written before the device that was asked for is there.
    if (use_.required && output_.needs_bytes_in_order()) {
      if (auto ready = start_.wait(); !ready) return ready.error();
    }
    Pipeline pipeline(ring_.size(), workers_);
    const PipelineStages stages{[this](std::size_t slot) { return fill(ring_[slot]); },
                                [this](std::size_t slot, unsigned worker) { return work(ring_[slot], worker); },
                                [this](std::size_t slot) { return drain(ring_[slot]); }};
    const Status done = pipeline.run(stages, options_.stop);
    const Status started = start_.wait();
    if (use_.required && !started) return started.error();
    if (!done) return done.error();
    output_.totals.stored_bytes = position_;
    output_.totals.gpu_chunks = record_.chunks();
    if (options_.note) options_.note(note(started));
    return output_.totals;
  }

 private:
  /// An event of the reader, and what is known about it.
  struct Event {
    StreamEvent event;
    std::uint64_t stored_end = 0;     // the position in the input behind it
    std::span<std::byte> kept = {};   // for the wanted bytes, if they are needed in order
  };
  /// A batch.
  struct Slot {
    std::vector<Event> events;
    std::vector<const StoredChunk*> chunks;
    Buffer kept_memory;
    std::vector<std::optional<Error>> errors;  // of the chunks
  };

  // ---- Read records

  Result<bool> fill(Slot& slot) {
    slot.events.clear();
    std::uint64_t original = 0, memory = 0;
    while (!last_ && slot.events.size() < kMostEvents) {
      auto event = next();
      if (!event) break;
      const auto* chunk = std::get_if<StoredChunk>(&event->event);
      if (chunk != nullptr) {
        original += chunk->chunk.record.original_bytes;
        memory += decoding_needs(chunk->chunk).slot;
      }
      slot.events.push_back(*std::move(event));
      if (original + use_.largest_chunk > use_.batch || memory > use_.memory / 2) break;
    }
    if (!slot.events.empty()) return true;
    return *last_;
  }

  /// Nothing at the end of the input, or of what can be read; last_ says which. That counts behind the chunks
  /// before it.
  std::optional<Event> next() {
    auto [event, position] = ahead_->next();
    position_ = position;
    const auto* chunk = event ? std::get_if<StoredChunk>(&*event) : nullptr;
    const Status fits = chunk != nullptr ? output_.check_length(*chunk) : ok();
    if (event && fits && !std::holds_alternative<EndOfInput>(*event))
      return Event{*std::move(event), position, {}};
    last_ = !event ? Result<bool>(event.error()) : !fits ? Result<bool>(fits.error()) : Result<bool>(false);
    return std::nullopt;
  }

  // ---- Decode

  Status work(Slot& slot, unsigned worker) {
    BatchDecoder& decoder = decoders_[worker];
    if (auto done = give_device(decoder); !done) return done;
    slot.chunks.clear();
    keep_bytes(slot);
    std::vector<std::span<std::byte>> kept;
    for (const Event& event : slot.events) {
      const auto* chunk = std::get_if<StoredChunk>(&event.event);
      if (chunk == nullptr) continue;
      slot.chunks.push_back(chunk);
      kept.push_back(event.kept);
    }
    BatchDecoder::Deliver deliver;
    if (output_.needs_bytes())
      deliver = [&](std::size_t number, std::span<const std::byte> original) {
        const StoredChunk& chunk = *slot.chunks[number];
        if (!kept[number].empty()) std::ranges::copy(wanted_of(chunk, original), kept[number].begin());
        return output_.at_once(chunk, original);
      };
    const auto errors = decoder.decode(slot.chunks, std::move(deliver));
    slot.errors.assign(errors.begin(), errors.end());
    return ok();
  }

  /// As soon as there is one.
  Status give_device(BatchDecoder& decoder) {
    if (decoder.has_device()) return ok();
    auto queue = start_.take();
    if (queue && *queue != nullptr) decoder.take_device(*std::move(queue));
    return queue || !use_.required ? ok() : Status(queue.error());
  }

  /// Makes room for wanted bytes that are written in order.
  void keep_bytes(Slot& slot) {
    if (!output_.needs_bytes_in_order()) return;
    std::size_t bytes = 0;
    for (const Event& event : slot.events)
      if (const auto* chunk = std::get_if<StoredChunk>(&event.event)) bytes += chunk->wanted;
    auto memory = slot.kept_memory.take(bytes);
    for (Event& event : slot.events) {
      const auto* chunk = std::get_if<StoredChunk>(&event.event);
      if (chunk == nullptr) continue;
      event.kept = memory.first(chunk->wanted);
      memory = memory.subspan(chunk->wanted);
    }
  }

  // ---- Write

  Status drain(Slot& slot) {
    auto error = slot.errors.begin();
    for (const Event& event : slot.events) {
      const auto* chunk = std::get_if<StoredChunk>(&event.event);
      if (chunk != nullptr && *error) return **error;
      const Status done = chunk != nullptr ? output_.in_order(*chunk, event.kept, event.stored_end)
                                           : output_.end_stream(std::get<StoredEnd>(event.event));
      if (!done) return done;
      if (chunk != nullptr) ++error;
    }
    return ok();
  }

  std::string note(const Status& started) {
    if (!started) return "the CPU decodes: " + started.error().message;
    return start_.note("decode", record_.chunks(), output_.totals.chunks) + ": " + use_.reason;
  }

  const DeviceUse& use_;
  const DecompressOptions& options_;
  RestoredOutput output_;
  DeviceRecord record_;
  std::unique_ptr<EventReader> reader_;
  unsigned workers_;
  std::vector<Slot> ring_;
  std::uint64_t position_ = 0;        // in the input behind the last event
  std::optional<Result<bool>> last_;  // how the input ended: as a result of fill()
  DeviceStart start_;
  std::optional<EventsAhead> ahead_;
  std::deque<BatchDecoder> decoders_;  // one for each worker; a deque because decoders cannot be moved
};

}  // namespace

/// The current device belongs to a thread, so all this has a thread of its own.
Result<Totals> restore_on_device(const DeviceUse& use, Sink* to, const DecompressOptions& options) {
  return in_own_thread([&] { return DeviceRestoring(use, to, options).run(); });
}

}  // namespace tdz
