// SPDX-License-Identifier: Apache-2.0
// Compression: cut -> encode -> write, over the pipeline.
#include <deque>
#include <limits>

#include "codec/chunk/backend_choice.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "codec/compress/device_compressing.hpp"
#include "codec/pipe/chunk_cutter.hpp"
#include "codec/pipe/memory_limit.hpp"
#include "codec/pipe/options.hpp"
#include "codec/pipe/pipeline.hpp"
#include "codec/search/prepare.hpp"
#include "codec/stream/stream_writer.hpp"

namespace tdz {
namespace {

class Compressor {
 public:
  Compressor(PrefixSource& from, Sink& to, const Prepared& prepared, PipelineSize size)
      : options_(prepared.options),
        recipes_(prepared.found.recipes),
        chunk_sample_(prepared.chunk_sample),
        workers_(size.workers),
        announced_(from.size()),
        cutter_(from, cut_rules(options_, recipes_), from.clock()),
        writer_(to, stream_header(options_, announced_), options_.digest),
        ring_(size.slots) {
    for (unsigned worker = 0; worker < workers_; ++worker) encoders_.emplace_back(cpu_backend(), options_.level);
    for (unsigned worker = 0; worker < workers_; ++worker) trials_.emplace_back(cpu_backend(), kDefaultLevel);
  }

  Result<Totals> run() {
    Pipeline pipeline(ring_.size(), workers_);
    const PipelineStages stages{
        [this](std::size_t slot) { return fill(ring_[slot]); },
        [this](std::size_t slot, unsigned worker) { return work(ring_[slot], worker); },
        [this](std::size_t slot) { return drain(ring_[slot]); }};
    if (auto done = pipeline.run(stages, options_.stop); !done) return done.error();
    if (announced_ && *announced_ != writer_.original_bytes()) return size_changed();
    return writer_.finish();
  }

 private:
  struct Slot {
    Buffer memory;
    Cut cut;
    const Recipe* recipe = nullptr;
    EncodedChunk encoded;
  };

  Result<bool> fill(Slot& slot) {
    auto cut = cutter_.next(slot.memory);
    if (!cut) return cut.error();
    slot.cut = *cut;
    return !slot.cut.bytes.empty();
  }

  Status work(Slot& slot, unsigned worker) {
    slot.recipe = &raw_;
    if (!slot.cut.raw) {
      auto choice = choose_recipe(slot.cut.bytes, recipes_, chunk_sample_, trials_[worker]);
      if (!choice) return choice.error();
      slot.recipe = &recipes_[*choice];
    }
    return encoders_[worker].encode(slot.cut.bytes, *slot.recipe, frame_bytes(options_), slot.encoded);
  }

  Status drain(Slot& slot) {
    if (auto done = writer_.write_chunk(slot.cut.bytes, slot.encoded); !done) return done;
    if (announced_ && writer_.original_bytes() > *announced_) return size_changed();
    if (options_.progress) options_.progress({writer_.original_bytes(), writer_.stored_bytes()});
    return ok();
  }

  Error size_changed() const {
    return {ErrorKind::io, "the input changed while it was read: " + std::to_string(*announced_) +
                               " bytes were expected, " + std::to_string(writer_.original_bytes()) +
                               " were read"};
  }

  const CompressOptions& options_;
  const std::vector<Recipe>& recipes_;
  const std::size_t chunk_sample_;
  const Recipe raw_{};
  unsigned workers_;
  std::optional<std::uint64_t> announced_;
  ChunkCutter cutter_;
  StreamWriter writer_;
  std::vector<Slot> ring_;
  std::deque<ChunkEncoder> encoders_;  // one for each worker; a deque because encoders cannot be moved
  std::deque<Trial> trials_;           // one for each worker
};

Result<PipelineSize> pipeline_size(const Prepared& prepared) {
  const CompressOptions& options = prepared.options;
  const PipelineSize wanted = usual_size(worker_count(options.threads));
  const std::uint64_t limit =
      options.memory != 0 ? options.memory : std::numeric_limits<std::uint64_t>::max();
  const std::uint32_t chunk = chunk_bytes(options);
  const auto needs = encoding_needs(prepared);
  const auto size = size_within(limit, wanted, needs);
  if (!size) return too_little_memory(chunk, needs, limit);
  return *size;
}

/// The devices that the caller asks for.
Result<cuda::DeviceQueues> asked_for(const CompressOptions& options) {
  auto made = cuda::make_cuda_queues(options.device.numbers, slots_of(compressing_batches(options)));
  if (!made) return not_available(made.error());
  return made;
}

Result<Totals> compress_prepared(PrefixSource& from, Sink& to, const Prepared& prepared) {
  auto size = pipeline_size(prepared);
  if (!size) return size.error();
  return Compressor(from, to, prepared, *size).run();
}

/// `start`: null if the CPU does all; `why` says why, or nothing. Errors of the devices come before others.
Result<Totals> compress_with(DeviceStart* start, const Error& why, Source& from, Sink& to,
                             const CompressOptions& options) {
  PrefixSource source(from, FlushClock(options.flush_after));
  auto prepared = prepare(source, options, cpu_backend());
  const Status good = prepared ? check(prepared->options) : Status(prepared.error());
  const auto use = start != nullptr && good ? use_for(source, *prepared) : Result<CompressingUse>(why);
  if (start != nullptr && !use) {
    if (auto there = start->wait(); !there) return there.error();
  }
  if (!good) return good.error();
  if (use) return compress_on_device(*use, to, *prepared, *start, cuda::make_cuda_encode_queue);
  auto totals = compress_prepared(source, to, *prepared);
  const std::string& reason = use.error().message;
  if (totals && options.note && !reason.empty()) options.note("the CPU encodes: " + reason);
  return totals;
}

/// Devices start only if the input may be theirs.
Result<Totals> compress_with_devices(Source& from, Sink& to, const CompressOptions& options) {
  if (const Status good = check_input(from, options); !good) {
    if (auto usable = check_device(options.device); !usable) return usable.error();
    return compress_with(nullptr, good.error(), from, to, options);
  }
  DeviceStart start([&options] { return asked_for(options); });
  return compress_with(&start, {}, from, to, options);
}

}  // namespace

Result<Totals> compress(Source& from, Sink& to, const CompressOptions& options) {
  if (auto done = check(options); !done) return done.error();
  return guarded_with_devices([&]() -> Result<Totals> {
    if (options.backend != BackendChoice::cuda) return compress_with(nullptr, {}, from, to, options);
    return compress_with_devices(from, to, options);
  });
}

}  // namespace tdz
