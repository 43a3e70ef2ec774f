// SPDX-License-Identifier: Apache-2.0
#include "codec/batch_decoder.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"

namespace tdz {
namespace {

/// The chunks of a batch, as a store of a decoder.
class BatchStore final : public ChunkStore {
 public:
  /// `failed` becomes true if the file cannot be read.
  BatchStore(RandomAccess& file, Selection selection, std::atomic<bool>& failed)
      : file_(file), selection_(std::move(selection)), failed_(failed) {}

  Result<Selection> select(const std::optional<Range>&) override { return std::move(selection_); }
  Status read(const SelectedChunk& chunk, std::uint64_t at, std::span<std::byte> into) override {
    Status done = file_.read_at(chunk.store_at + at, into);
    if (!done) failed_ = true;
    return done;
  }
  bool is_thread_safe() const override { return true; }
  Error named(const SelectedChunk& chunk, Error error) const override {
    return in_chunk(chunk.parsed.record.number, chunk.where, std::move(error));
  }

 private:
  RandomAccess& file_;
  Selection selection_;
  std::atomic<bool>& failed_;
};

/// Memory that is asked for a second time costs more than a little too much of it.
constexpr std::uint64_t with_spare(std::uint64_t bytes) {
  return bytes + bytes / 4;
}

/// Pieces take at most a quarter of the host's memory.
constexpr std::uint64_t kPartOfPieces = 4;

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kDeviceAlignment - 1) / kDeviceAlignment * kDeviceAlignment;
}

}  // namespace

// ---- A batch

BatchDecoder::BatchDecoder(RandomAccess& file, DeviceRecord& device, const BatchLimits& limits)
    : file_(file), record_(device), limits_(limits) {
  for (unsigned worker = 0; worker < limits.threads; ++worker) workers_.emplace_back();
}

void BatchDecoder::take_device(std::unique_ptr<cuda::DecodeQueue> queue) {
  DeviceDecoderOptions options;
  options.threads = limits_.threads;
  options.pinned = limits_.memory;
  work_ = std::make_unique<DecodeWork>(std::move(queue), options);
  work_->load_in_pieces(cuda::pieces_bytes(limits_.threads) <= limits_.memory / kPartOfPieces);
}

std::span<const std::optional<Error>> BatchDecoder::decode(std::span<const StoredChunk* const> chunks,
                                                           Deliver deliver) {
  chunks_ = chunks;
  deliver_ = std::move(deliver);
  errors_.assign(chunks.size(), std::nullopt);
  const bool with_device = has_device() && record_.trusted(work_->queue().device());
  Numbers for_device, for_cpu;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    (with_device && cuda::is_for_device(chunks[i]->chunk.plan) ? for_device : for_cpu).push_back(i);
  }
  const bool started = !for_device.empty() && start(for_device);
  on_cpu(for_cpu);  // while the device works
  if (!started || !finish(for_device)) on_cpu(for_device);
  return errors_;
}

/// False: the CPU has to decode these chunks.
bool BatchDecoder::start(const Numbers& numbers) {
  Selection selection;
  for (const std::size_t i : numbers) {
    const StoredChunk& chunk = *chunks_[i];
    const std::uint64_t packed = formats::packed_bytes(chunk.chunk.record);
    selection.chunks.push_back({chunk.chunk, chunk.packed_at, packed, chunk.where, i, selection.original});
    selection.original += chunk.chunk.record.original_bytes;
  }
  selection.wanted = selection.original;
  file_failed_ = false;
  work_->take_store(std::make_unique<BatchStore>(file_, std::move(selection), file_failed_));
  work_->bring_values_back(deliver_ != nullptr);
  const auto sizes = work_->select({});
  if (!sizes) return is_usable(sizes.error());
  const bool fits = sizes->pinned + work_->bytes_of_pieces() <= limits_.memory &&
                    aligned(sizes->original) + sizes->scratch <= limits_.device_memory;
  return fits && is_usable(put_on_device(*sizes));
}

/// Takes note of a failure of the device. If the file cannot be read, the CPU finds that too, and names it.
bool BatchDecoder::is_usable(const Status& done) {
  if (!done && !file_failed_) record_.failed(work_->queue().device(), done.error());
  return bool(done);
}

Status BatchDecoder::put_on_device(const DeviceSizes& sizes) {
  const std::uint64_t values = aligned(sizes.original), memory = values + sizes.scratch;
  cuda::DecodeQueue& queue = work_->queue();
  if (auto done = queue.make_current(); !done) return done;
  const auto spare = [](std::uint64_t bytes, std::uint64_t most) {
    return static_cast<std::size_t>(std::min(with_spare(bytes), most));
  };
  if (auto pinned = queue.pinned(spare(sizes.pinned, limits_.memory)); !pinned) return pinned.error();
  auto at = queue.memory(spare(memory, limits_.device_memory));
  if (!at) return at.error();
  if (auto done = work_->load(*at + values); !done) return done;
  return work_->decode(*at, *at + values, queue.stream());
}

/// False: the CPU has to decode these chunks again.
bool BatchDecoder::finish(const Numbers& numbers) {
  if (!is_usable(work_->judge())) return false;
  record_.add_chunks(numbers.size() - work_->refused_chunks() - work_->cpu_chunks());
  if (work_->wrong_chunks() != 0) record_.was_wrong(work_->queue().device());
  const auto errors = work_->errors();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const StoredChunk& chunk = *chunks_[numbers[i]];
    if (errors[i]) errors_[numbers[i]] = in_chunk(chunk.chunk.record.number, chunk.where, *errors[i]);
  }
  if (deliver_) deliver_all(numbers);
  return true;
}

void BatchDecoder::deliver_all(const Numbers& numbers) {
  std::vector<std::span<const std::byte>> originals;
  auto values = work_->values();
  for (const std::size_t i : numbers) {
    originals.push_back(values.first(chunks_[i]->chunk.record.original_bytes));
    values = values.subspan(originals.back().size());
  }
  in_parallel(numbers.size(), limits_.threads, [&](std::size_t i, unsigned) {
    auto& error = errors_[numbers[i]];
    if (!error) error = error_of(guarded([&] { return deliver_(numbers[i], originals[i]); }));
  });
}

// ---- The CPU

void BatchDecoder::on_cpu(const Numbers& numbers) {
  if (numbers.empty()) return;
  in_parallel(numbers.size(), cpu_threads(numbers), [&](std::size_t i, unsigned worker) {
    const std::size_t number = numbers[i];
    errors_[number] = error_of(guarded([&] { return decode_one(*chunks_[number], number, worker); }));
  });
}

Status BatchDecoder::decode_one(const StoredChunk& chunk, std::size_t number, unsigned worker) {
  Worker& own = workers_[worker];
  const auto& record = chunk.chunk.record;
  const auto packed = own.packed.take(static_cast<std::size_t>(formats::packed_bytes(record)));
  if (auto done = file_.read_at(chunk.packed_at, packed); !done) return done;
  const auto original = own.original.take(record.original_bytes);
  if (auto done = own.decoder.decode(chunk.chunk, packed, original); !done)
    return in_chunk(record.number, chunk.where, done.error());
  return deliver_ ? deliver_(number, original) : ok();
}

unsigned BatchDecoder::cpu_threads(const Numbers& numbers) const {
  MemoryNeeds needs;
  for (const std::size_t i : numbers) needs = larger_of(needs, decoding_needs(chunks_[i]->chunk));
  const PipelineSize wanted{limits_.threads, limits_.threads};
  return size_within(limits_.memory, wanted, needs).value_or(PipelineSize{}).workers;
}

}  // namespace tdz
