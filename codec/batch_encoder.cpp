// SPDX-License-Identifier: Apache-2.0
#include "codec/device_compressing.hpp"

#include <algorithm>
#include <utility>

#include "codec/device/places.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "formats/digest.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "tdz/device_decoder.hpp"

namespace tdz {
namespace {

EncodeRequest request_for(const Recipe& recipe, const CompressOptions& options,
                          std::vector<std::uint32_t> lengths) {
  EncodeRequest request;
  request.plan = recipe.plan;
  request.plan_bytes = formats::serialize(recipe.plan);
  request.lengths = std::move(lengths);
  request.frame_bytes = frame_bytes(options);
  request.to_host = true;
  return request;
}

bool is_for_device(const Recipe& recipe) {
  return recipe.plan.coding == Coding::uniform;
}

/// Of device memory: the values, then scratch.
std::uint64_t values_room(std::uint64_t original) {
  return rounded(original, kDeviceAlignment);
}

}  // namespace

Result<BatchRoom> room_on_device(const Prepared& prepared, std::uint64_t batch) {
  constexpr std::size_t kSpare = 4096;  // more than chunks of several plans take, beyond those of one
  const auto& recipes = prepared.found.recipes;
  const CutRules rules = cut_rules(prepared.options, recipes);
  const std::uint32_t chunk = rules.chunk_bytes / rules.unit_bytes * rules.unit_bytes;
  const auto count = static_cast<std::size_t>(batch / chunk);
  if (count == 0) return unsupported("a chunk is longer than the file, or than the memory allows");
  BatchRoom room{std::max<std::size_t>(count * chunk, rules.chunk_bytes), 0, 0};
  for (const Recipe& recipe : recipes) {
    if (!is_for_device(recipe)) continue;
    const EncodeLayout layout =
        layout_of(request_for(recipe, prepared.options, std::vector<std::uint32_t>(count, chunk)));
    if (layout.device.empty()) continue;
    const std::uint64_t device = values_room(layout.original) + layout.scratch_bytes;
    room.packed = std::max(room.packed, static_cast<std::size_t>(layout.packed_bytes));
    room.device = std::max(room.device, static_cast<std::size_t>(device));
  }
  if (room.device == 0) return unsupported("no GPU makes frames with these steps");
  room.packed += kSpare * recipes.size();
  return room;
}

BatchEncoder::BatchEncoder(RandomAccess& file, const Prepared& prepared, const BatchRoom& room,
                           DeviceRecord& record, unsigned threads)
    : file_(file), prepared_(prepared), room_(room), record_(record) {
  const Settled settled{prepared.options, prepared.found.recipes, prepared.chunk_sample};
  for (unsigned worker = 0; worker < threads; ++worker) encoders_.emplace_back(settled);
}

void BatchEncoder::take_device(std::unique_ptr<cuda::DecodeQueue> queue, const MakeEncodeQueue& make) {
  queue_ = std::move(queue);
  make_ = make;
}

Status BatchEncoder::encode(std::span<BatchChunk> chunks) {
  chunks_ = chunks;
  const bool with_device = has_device() && record_.trusted(queue_->device()) && is_usable(start_device());
  place_originals(with_device);
  auto done =
      for_each([&](BatchChunk& chunk, SettledEncoder& encoder) { return read(chunk, encoder, with_device); });
  if (!done) return done;
  if (with_device)
    for (const Recipe& recipe : prepared_.found.recipes)
      if (is_for_device(recipe)) encode_on_device(recipe);
  return for_each([&](BatchChunk& chunk, SettledEncoder& encoder) {
    return chunk.done ? ok() : encoder.encode(chunk.original, *chunk.recipe, chunk.encoded);
  });
}

/// Calls it for all chunks, by several threads. Errors: that of the first chunk.
template <class Work>
Status BatchEncoder::for_each(const Work& work) {
  const auto threads = static_cast<unsigned>(encoders_.size());
  return each_in_parallel(chunks_.size(), threads, [&](std::size_t i, unsigned worker) {
    return work(chunks_[i], encoders_[worker]);
  });
}

/// Takes note of a failure of the device.
bool BatchEncoder::is_usable(const Status& done) {
  if (!done) record_.failed(queue_->device(), done.error());
  return bool(done);
}

Status BatchEncoder::start_device() {
  if (auto done = queue_->make_current(); !done) return done;
  if (work_ == nullptr) {
    auto made = make_();
    if (!made) return made.error();
    work_ = std::make_unique<EncodeWork>(*std::move(made), EncodeRequest{},
                                         static_cast<unsigned>(encoders_.size()));
    memory_ = {};  // from now on batches are in pinned memory
    for (BatchChunk& chunk : chunks_) chunk.encoded = {};
  }
  const auto pinned = queue_->pinned(room_.original + room_.packed);
  if (!pinned) return pinned.error();
  const auto memory = queue_->memory(room_.device);
  if (!memory) return memory.error();
  pinned_ = pinned->first(room_.original);
  packed_ = pinned->subspan(room_.original);
  on_device_ = *memory;
  return ok();
}

/// One after another, as in the file.
void BatchEncoder::place_originals(bool with_device) {
  std::size_t bytes = 0;
  for (const BatchChunk& chunk : chunks_) bytes += chunk.bytes;
  auto memory = with_device ? pinned_.first(bytes) : memory_.take(bytes);
  for (BatchChunk& chunk : chunks_) {
    chunk.original = memory.first(chunk.bytes);
    chunk.done = false;
    memory = memory.subspan(chunk.bytes);
  }
}

Status BatchEncoder::read(BatchChunk& chunk, SettledEncoder& encoder, bool with_device) {
  if (auto done = file_.read_at(chunk.at, chunk.original); !done) return done;
  const auto recipe = encoder.choose({chunk.original, chunk.raw});
  if (!recipe) return recipe.error();
  chunk.recipe = *recipe;
  if (with_device && is_for_device(*chunk.recipe)) chunk.digest = formats::xxh3_64(chunk.original);
  return ok();
}

// ---- The device

/// The chunks with this recipe, as far as the device can do them.
void BatchEncoder::encode_on_device(const Recipe& recipe) {
  Numbers numbers;
  std::vector<std::uint32_t> lengths;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (chunks_[i].recipe != &recipe) continue;
    numbers.push_back(i);
    lengths.push_back(chunks_[i].bytes);
  }
  if (numbers.empty() || !record_.trusted(queue_->device())) return;
  work_->take_request(request_for(recipe, prepared_.options, std::move(lengths)));
  const auto sizes = work_->sizes();
  const bool fits =
      sizes.packed <= packed_.size() && values_room(sizes.original) + sizes.scratch <= room_.device;
  if (fits && sizes.cpu_chunks < sizes.chunks) static_cast<void>(is_usable(put_on_device(numbers, sizes)));
}

Status BatchEncoder::put_on_device(const Numbers& numbers, const DeviceEncoderSizes& sizes) {
  if (auto done = work_->prepare(); !done) return done;
  std::byte* to = on_device_;
  for (std::size_t i = 0, next = 0; i < numbers.size(); i = next) {
    std::size_t bytes = 0;  // of neighbours
    for (next = i; next < numbers.size() && numbers[next] - numbers[i] == next - i; ++next)
      bytes += chunks_[numbers[next]].bytes;
    const std::span from(chunks_[numbers[i]].original.data(), bytes);
    if (auto done = queue_->copy_up(to, from); !done) return done;
    to += bytes;
  }
  std::byte* scratch = on_device_ + values_room(sizes.original);
  if (auto done = work_->encode(on_device_, packed_.data(), scratch, queue_->stream()); !done) return done;
  auto made = work_->finish_chunks();
  if (!made) return made.error();
  if (auto same = compare_digests(numbers, *made); !same) return same;
  for (EncodeWork::EncodedByDevice& one : *made) {
    BatchChunk& chunk = chunks_[numbers[one.index]];
    chunk.encoded.record = std::move(one.record);
    chunk.encoded.packed = packed_.subspan(static_cast<std::size_t>(one.record_at + one.record_bytes),
                                           static_cast<std::size_t>(one.packed_bytes));
    chunk.done = true;
  }
  packed_ = packed_.subspan(static_cast<std::size_t>(sizes.packed));
  record_.add_chunks(made->size());
  return ok();
}

/// A bit may change on the way up: then the device's frames and digest agree, but belong to other bytes.
Status BatchEncoder::compare_digests(const Numbers& numbers,
                                     std::span<const EncodeWork::EncodedByDevice> made) const {
  for (const EncodeWork::EncodedByDevice& one : made)
    if (one.record.digest != chunks_[numbers[one.index]].digest)
      return Error{ErrorKind::io, "it encoded other bytes than those of the file"};
  return ok();
}

}  // namespace tdz
