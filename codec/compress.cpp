// SPDX-License-Identifier: Apache-2.0
// Compression: cut -> encode -> write, over the pipeline.
#include <deque>
#include <limits>
#include <system_error>

#include "codec/device_choice.hpp"
#include "codec/device_compressing.hpp"
#include "codec/search/prepare.hpp"
#include "codec/search/stored_size.hpp"
#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_writer.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {
namespace {

class Compressor {
 public:
  Compressor(PrefixSource& from, Sink& to, const Prepared& prepared, PipelineSize size)
      : options_(prepared.options),
        workers_(size.workers),
        announced_(from.size()),
        cutter_(from, cut_rules(options_, prepared.found.recipes), from.clock()),
        writer_(to, stream_header(options_, announced_, prepared.found.recipes), options_.digest,
                Protect{options_.protect}),
        ring_(size.slots) {
    const Settled settled{options_, prepared.found.recipes, prepared.chunk_sample};
    for (unsigned worker = 0; worker < workers_; ++worker) encoders_.emplace_back(settled);
  }

  Result<Totals> run() {
    if (auto done = run_pipeline(ring_, workers_, *this, options_.stop); !done) return done.error();
    if (announced_ && *announced_ != writer_.original_bytes()) return size_changed();
    return writer_.finish();
  }

  // ---- The stages of the pipeline

  struct Slot {
    Buffer memory;
    Cut cut;
    EncodedChunk encoded;
  };

  Result<bool> fill(Slot& slot) {
    auto cut = cutter_.next(slot.memory);
    if (!cut) return cut.error();
    slot.cut = *cut;
    return !slot.cut.bytes.empty();
  }

  Status work(Slot& slot, unsigned worker) { return encoders_[worker].encode(slot.cut, slot.encoded); }

  Status drain(Slot& slot) {
    if (auto done = writer_.write_chunk(slot.cut.bytes, slot.encoded); !done) return done;
    if (announced_ && writer_.original_bytes() > *announced_) return size_changed();
    if (options_.progress) options_.progress({writer_.original_bytes(), writer_.stored_bytes()});
    return ok();
  }

 private:
  Error size_changed() const {
    return {ErrorKind::io, "the input changed while it was read: " + std::to_string(*announced_) +
                               " bytes were expected, " + std::to_string(writer_.original_bytes()) +
                               " were read"};
  }

  const CompressOptions& options_;
  unsigned workers_;
  std::optional<std::uint64_t> announced_;
  ChunkCutter cutter_;
  StreamWriter writer_;
  std::vector<Slot> ring_;
  std::deque<SettledEncoder> encoders_;  // one for each worker; a deque because encoders cannot be moved
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

Result<Prepared> prepared_for(PrefixSource& from, const CompressOptions& options) {
  auto prepared = prepare(from, options);
  if (!prepared) return prepared;
  if (auto good = check(prepared->options); !good) return good.error();
  return prepared;
}

/// `why`: for the note; empty if it goes without saying.
Result<Totals> compress_on_cpu(PrefixSource& from, Sink& to, const Prepared& prepared,
                               const std::string& why) {
  auto size = pipeline_size(prepared);
  if (!size) return size.error();
  auto totals = Compressor(from, to, prepared, *size).run();
  const NoteCallback& note = prepared.options.note;
  if (totals && note && !why.empty()) note("the CPU encodes: " + why);
  return totals;
}

/// The devices that the caller asks for.
Result<cuda::DecodeQueues> asked_for(const CompressOptions& options) {
  auto made = cuda::make_cuda_decode_queues(options.device.numbers, slots_of(compressing_batches(options)));
  if (!made) return not_available(made.error());
  return made;
}

/// Devices start only if they may encode the input. An error of a device comes before an error of the search.
Result<Totals> compress_as_asked(PrefixSource& from, Sink& to, const CompressOptions& options) {
  if (const Status good = check_input(from, options); !good) {
    if (auto usable = check_device(options.device); !usable) return usable.error();
    const auto prepared = prepared_for(from, options);
    if (!prepared) return prepared.error();
    return compress_on_cpu(from, to, *prepared, good.error().message);
  }
  DeviceStart start([&options] { return asked_for(options); });
  const auto prepared = prepared_for(from, options);
  const auto use = prepared ? compressing_use(from, *prepared) : Result<CompressingUse>(prepared.error());
  if (use) return compress_on_device(*use, to, *prepared, start, cuda::make_cuda_encode_queue);
  if (auto there = start.wait(); !there) return there.error();
  if (!prepared) return prepared.error();
  return compress_on_cpu(from, to, *prepared, use.error().message);
}

/// Devices start if they pay, and only for a plan that they can do.
Result<Totals> compress_automatically(PrefixSource& from, Sink& to, const Prepared& prepared) {
  const auto by_cpu = [&](const std::string& why) { return compress_on_cpu(from, to, prepared, why); };
  const RandomAccess* file = from.random_access();
  if (file != nullptr && file->size() < kShortFile) return by_cpu({});
  const CompressOptions& options = prepared.options;
  if (auto good = check_input(from, options); !good) return by_cpu(good.error().message);
  const std::size_t queues = slots_of(compressing_batches(options));
  auto make = start_if_it_pays(&PayingChip::compress_from, file->size(), options.device, queues);
  auto use = make ? compressing_use(from, prepared) : Result<CompressingUse>(make.error());
  if (!use) return by_cpu(use.error().message);
  use->reason = it_pays_for(use->bytes);
  try {
    DeviceStart start(*std::move(make));
    return compress_if_one_starts(*use, to, prepared, start, cuda::make_cuda_encode_queue, by_cpu);
  } catch (const std::system_error&) {
    return by_cpu(no_thread().message);
  }
}

}  // namespace

Result<Totals> compress(Source& from, Sink& to, const CompressOptions& options) {
  if (auto done = check(options); !done) return done.error();
  return guarded_with_devices([&]() -> Result<Totals> {
    PrefixSource source(from, FlushClock(options.flush_after));
    if (options.backend == BackendChoice::cuda) return compress_as_asked(source, to, options);
    const auto prepared = prepared_for(source, options);
    if (!prepared) return prepared.error();
    if (options.backend == BackendChoice::cpu) return compress_on_cpu(source, to, *prepared, {});
    return compress_automatically(source, to, *prepared);
  });
}

Result<std::vector<std::byte>> compress(std::span<const std::byte> original, const CompressOptions& options) {
  MemorySource from(original);
  MemorySink to;
  auto totals = compress(from, to, options);
  if (!totals) return totals.error();
  return std::move(to).take();
}

}  // namespace tdz
