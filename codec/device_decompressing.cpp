// SPDX-License-Identifier: Apache-2.0
#include "codec/device_decompressing.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "codec/batch_decoder.hpp"
#include "codec/decompress.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_reader.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"

namespace tdz {
namespace {

// ---- The choice of a device

/// Batches of 32 and of 128 MiB are no faster: copies fill the bus.
constexpr std::uint64_t kUsualBatch = 64u << 20;

/// What the ends of the streams say.
struct FileFacts {
  std::uint64_t original = 0;  ///< what is wanted of it
  std::uint32_t largest_chunk = 0;
  bool uniform = false;  ///< there are uniform frames
  bool packed = false;   ///< there are packed groups for a GPU
};

/// By the plans of the last chunks.
void look_at_plans(RandomAccess& file, const FoundStream& stream, FileFacts& facts) {
  if (stream.end.chunks == 0) return;
  const auto part = read_part(file, stream, stream.end.last_index, stream.end_offset());
  if (!part) return;
  for (const auto& bytes : part->part.plans) {
    const auto plan = formats::parse_plan(bytes);
    facts.uniform = facts.uniform || (plan && plan->coding == Coding::uniform);
    facts.packed = facts.packed || (plan && cuda::is_packed_for_device(*plan));
  }
}

/// Nothing if the file is damaged.
std::optional<FileFacts> facts_of(RandomAccess& file, const std::optional<Range>& range) {
  const auto streams = find_streams(file);
  if (!streams) return std::nullopt;
  FileFacts facts;
  for (const FoundStream& stream : *streams) {
    facts.original += stream.end.original_bytes;
    facts.largest_chunk = std::max(facts.largest_chunk, stream.header.largest_chunk);
    look_at_plans(file, stream, facts);
  }
  if (!range) return facts;
  const auto bytes = byte_range(*range, streams->front().header.type);
  if (!bytes) return std::nullopt;
  facts.original = std::min(facts.original, bytes->end) - std::min(facts.original, bytes->begin);
  return facts;
}

/// Sets the number of batches, their memory on the host and on a device, and their length.
void size_batches(const DecompressOptions& options, DecompressingUse& use) {
  const bool all = options.device.numbers.empty();
  use.batches = static_cast<unsigned>(kBatchesAtOnce * devices_for(options.device));
  const std::uint64_t memory = memory_or_usual(options.memory);
  use.memory = (memory - memory / 4) / use.batches;  // a quarter is for records
  use.batch = std::min(kUsualBatch, use.memory / kBatchNeeds);
  if (options.device.memory == 0) return;
  use.device_memory =
      options.device.memory / (all ? use.batches : kBatchesAtOnce);  // all may be a single one
  use.batch = std::min(use.batch, use.device_memory / kBatchNeeds);
}

/// Why the CPU decodes this input, whatever device there is. Empty: a device may.
std::string reason_for_cpu(RandomAccess* file, const std::optional<FileFacts>& facts,
                           const DecompressingUse& use) {
  if (file == nullptr || !file->parallel_reads()) return "the input is not a file";
  if (!facts) return "the file is damaged or cut, or the range is wrong";
  if (!facts->uniform && !facts->packed) return "the file has no frames for a GPU";
  if (facts->largest_chunk > use.batch) return "the chunks are too long for the memory that a GPU may use";
  return {};
}

/// A device, because the caller asked for it.
Result<DecompressingUse> required(DecompressingUse use, std::string reason, const DeviceOptions& options) {
  use.required = true;
  if (!reason.empty()) {
    if (auto usable = check_device(options); !usable) return usable.error();
    use.file = nullptr;
    use.reason = std::move(reason);
    return use;
  }
  use.reason = "as asked for";
  use.make = [options, batches = use.batches]() -> Result<cuda::DecodeQueues> {
    auto made = cuda::make_cuda_decode_queues(options.numbers, batches);
    if (!made) return not_available(made.error());
    return made;
  };
  return use;
}

DecompressingUse on_cpu(std::string reason) {
  DecompressingUse use;
  use.reason = std::move(reason);
  return use;
}

/// A device, if it pays; else the CPU.
DecompressingUse automatic(DecompressingUse use, const Sink* to, const FileFacts& facts,
                           const DecompressOptions& options) {
  if (!facts.uniform) return on_cpu("the CPU restores packed groups fast");  // lengths that pay: not measured
  const PaysFrom from = to == nullptr ? &PayingChip::verify_from : &PayingChip::restore_from;
  auto make = start_if_it_pays(from, facts.original, options.device, use.batches);
  if (!make) return on_cpu(make.error().message);
  use.reason = it_pays_for(facts.original);
  use.make = *std::move(make);
  return use;
}

}  // namespace

Result<DecompressingUse> decompressing_use(Source& from, const Sink* to, const DecompressOptions& options) {
  if (options.backend == BackendChoice::cpu) return on_cpu({});
  const bool asked = options.backend == BackendChoice::cuda;
  DecompressingUse use;
  use.file = from.random_access();
  if (!asked && use.file != nullptr && use.file->size() < kShortFile) return on_cpu({});
  if (!asked && options.compare_digest) return on_cpu("it computes the digest of the whole original");
  size_batches(options, use);
  const auto facts = use.file != nullptr ? facts_of(*use.file, options.range) : std::nullopt;
  std::string reason = reason_for_cpu(use.file, facts, use);
  if (facts) use.largest_chunk = facts->largest_chunk;
  if (asked) return required(std::move(use), std::move(reason), options.device);
  return reason.empty() ? automatic(std::move(use), to, *facts, options) : on_cpu(std::move(reason));
}

// ---- A file

namespace {

constexpr std::size_t kMostEvents = 4096;         ///< of a batch: many streams may be short
constexpr std::uint64_t kMostAhead = 128u << 20;  ///< of records: those of 30 GiB and more

class DeviceDecompressing {
 public:
  DeviceDecompressing(const DecompressingUse& use, Sink* to, const DecompressOptions& options)
      : use_(use),
        options_(options),
        output_(to, options),
        record_(options.warn),
        reader_(reader_for_file(*use.file, options.range)),
        workers_(std::min(worker_count(options.threads), use.batches)),
        ring_(workers_ + 1),
        start_(use.make) {
    const std::uint64_t memory = memory_or_usual(options.memory);
    reader_->limit_memory(memory);
    ahead_.emplace(*reader_, std::min(memory / 8, kMostAhead));
    // To verify, an H200 takes 490 ms for 16 GiB beside 12 threads, and 520 to 610 beside 18, of 16 cores. To
    // restore, threads wait for pages.
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
    const Status done = run_pipeline(ring_, workers_, *this, options_.stop);
    const Status started = start_.wait();
    if (use_.required && !started) return started.error();
    if (!done) return done.error();
    output_.totals.stored_bytes = position_;
    output_.totals.gpu_chunks = record_.chunks();
    if (options_.note) options_.note(note(started));
    return output_.totals;
  }

  // ---- The stages of the pipeline

  /// An event of the reader, and what is known about it.
  struct Event {
    StreamEvent event;
    std::uint64_t stored_end = 0;    // the position in the input after the event
    std::span<std::byte> kept = {};  // for the wanted bytes, if they are needed in order
  };
  /// A batch.
  struct Slot {
    std::vector<Event> events;
    std::vector<const StoredChunk*> chunks;
    Buffer kept_memory;
    std::vector<std::optional<Error>> errors;  // of the chunks
  };

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

 private:
  /// The next event. Nothing at the end of the input, after an error of the reader, and at a chunk that makes
  /// the output too long. Then last_ holds false (the end) or the error, and fill() returns it after all
  /// events before.
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

  /// Gives the decoder a device, as soon as there is one.
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

  std::string note(const Status& started) {
    if (!started) return "the CPU decodes: " + started.error().message;
    return start_.note("decode", record_.chunks(), output_.totals.chunks) + ": " + use_.reason;
  }

  const DecompressingUse& use_;
  const DecompressOptions& options_;
  RestoredOutput output_;
  DeviceRecord record_;
  std::unique_ptr<EventReader> reader_;
  unsigned workers_;
  std::vector<Slot> ring_;
  std::uint64_t position_ = 0;        // in the input, after the last event
  std::optional<Result<bool>> last_;  // how the input ended: as a result of fill()
  DeviceStart start_;
  std::optional<EventsAhead> ahead_;
  std::deque<BatchDecoder> decoders_;  // one for each worker; a deque because decoders cannot be moved
};

}  // namespace

/// The current device belongs to a thread, so all this has a thread of its own.
Result<Totals> decompress_on_device(const DecompressingUse& use, Sink* to, const DecompressOptions& options) {
  return in_own_thread([&] { return DeviceDecompressing(use, to, options).run(); });
}

}  // namespace tdz
