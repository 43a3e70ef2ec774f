// SPDX-License-Identifier: Apache-2.0
#include "codec/device/encode_work.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "codec/chunk/block_input.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "tdz/device_decoder.hpp"

namespace tdz {
namespace {

template <class T>
void put_table(std::span<std::byte> image, std::uint64_t at, const T* table, std::size_t count) {
  if (count != 0) std::memcpy(image.data() + at, table, count * sizeof(T));
}

Error contradiction() {
  return {ErrorKind::io, "the results of the device contradict one another"};
}

}  // namespace

// ---- Requests

Result<EncodeRequest> request_of_blocks(const Plan& plan, std::span<const std::uint32_t> lengths,
                                        const DeviceEncoderOptions& options) {
  if (auto good = check_block_plan(plan); !good) return good.error();
  for (const std::uint32_t bytes : lengths) {
    if (auto good = check_block_length(bytes); !good) return good.error();
  }
  EncodeRequest request;
  request.plan = plan;
  request.plan_bytes = formats::serialize(plan);
  request.lengths.assign(lengths.begin(), lengths.end());
  request.frame_bytes = plan.packing.frame_bytes;
  request.to_host = options.to_host;
  return request;
}

Result<EncodeRequest> request_of_stream(std::uint64_t bytes, const DeviceStreamOptions& stream,
                                        const DeviceEncoderOptions& options) {
  CompressOptions settled;
  settled.plan = stream.plan, settled.type = stream.type;
  settled.level = stream.level != 0 ? stream.level : kDefaultLevel;
  settled.chunk_bytes = stream.chunk_bytes, settled.frame_bytes = stream.frame_bytes;
  if (auto good = check(settled); !good) return good.error();
  EncodeRequest request;
  request.plan = stream.plan;
  request.plan_bytes = formats::serialize(stream.plan);
  request.frame_bytes = frame_bytes(settled);
  request.to_host = options.to_host;
  const Recipe recipe = recipe_of(stream.plan);
  const CutRules rules = cut_rules(settled, std::span(&recipe, 1));
  const std::uint32_t longest = rules.chunk_bytes / rules.unit_bytes * rules.unit_bytes;
  for (std::uint64_t left = bytes; left > 0; left -= request.lengths.back())
    request.lengths.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(left, longest)));
  const auto header = stream_header(settled, bytes);
  request.stream = EncodeStream{header, formats::serialize(header), settled.level};
  return request;
}

// ---- Sizes and tables

EncodeWork::EncodeWork(std::unique_ptr<cuda::EncodeQueue> queue, EncodeRequest request, unsigned threads)
    : request_(std::move(request)),
      threads_(worker_count(threads)),
      queue_(std::move(queue)),
      layout_(layout_of(request_)) {}

void EncodeWork::take_request(EncodeRequest request) {
  request_ = std::move(request);
  layout_ = layout_of(request_);
  state_ = State::opened;
}

DeviceEncoderSizes EncodeWork::sizes() const {
  return {layout_.original,    layout_.packed_bytes,  layout_.scratch_bytes,
          layout_.image_bytes, layout_.chunks.size(), layout_.cpu.size()};
}

Status EncodeWork::prepare() {
  if (state_ != State::opened) return usage("prepare() is called once");
  auto memory = queue_->pinned(static_cast<std::size_t>(layout_.image_bytes));
  if (!memory) return memory.error();
  image_ = *memory;
  if (!layout_.device.empty()) write_tables();
  state_ = State::prepared;
  return ok();
}

void EncodeWork::write_tables() {
  const cuda::EncodeJob& job = layout_.job;
  const auto& t = layout_.tables;
  std::vector<cuda::ChunkPlace> places;
  for (const EncodeOnDevice& chunk : layout_.device)
    places.push_back({layout_.chunks[chunk.index].at, layout_.chunks[chunk.index].bytes});
  put_table(image_, job.chunks, t.chunks, t.chunk_count);
  put_table(image_, job.chunks, layout_.groups.tables().chunks, job.pack.chunk_count);
  put_table(image_, job.columns, t.columns, t.column_count);
  put_table(image_, job.frames, t.frames, t.frame_count);
  put_table(image_, job.groups, t.groups, t.group_count);
  put_table(image_, job.raw_frames, t.raw_frames, t.raw_frame_count);
  put_table(image_, job.places, places.data(), places.size());
}

// ---- Encode

Status EncodeWork::encode(const std::byte* values, std::byte* packed, void* scratch, CUstream_st* stream) {
  if (state_ == State::encoding) return usage("finish() has to follow encode()");
  if (state_ != State::prepared) return usage("prepare() has to come before encode()");
  if (values == nullptr && layout_.original != 0) return usage("there are no values");
  if (packed == nullptr) return usage("there is no memory for packed bytes");
  if (scratch == nullptr && layout_.scratch_bytes != 0) return usage("there is no scratch memory");
  if (reinterpret_cast<std::uintptr_t>(scratch) % kDeviceAlignment != 0)
    return usage("scratch memory must be aligned to 256 bytes");
  packed_ = packed;
  memory_ = {image_.data(), static_cast<std::byte*>(scratch), values, packed};
  if (request_.to_host) memory_.packed = memory_.scratch + layout_.job.packed;
  if (auto done = queue_->enqueue(layout_.job, memory_, stream); !done) return done;
  state_ = State::encoding;
  return ok();
}

// ---- What the device left

template <class T>
std::span<const T> EncodeWork::result(std::uint64_t at, std::size_t count) const {
  return {reinterpret_cast<const T*>(image_.data() + at), count};
}

/// A thread is worth it for many list entries: to start it takes as long as to write some thousands.
unsigned EncodeWork::helpers(std::size_t entries) const {
  constexpr std::size_t kWorth = 16384;
  return static_cast<unsigned>(std::clamp<std::size_t>(entries / kWorth, 1, threads_));
}

cuda::frames::EncodedTables EncodeWork::encoded() const {
  const cuda::EncodeJob& job = layout_.job;
  const auto& t = layout_.tables;
  return {result<cuda::frames::FramesPlace>(job.out_chunks, t.chunk_count),
          result<cuda::frames::EncodedBlock>(job.out_blocks, t.block_count),
          result<std::uint32_t>(job.frame_bytes, t.frame_count),
          result<std::uint32_t>(job.raw_bytes, t.column_count)};
}

/// Where everything stands in the output. A record fills what is left between its frames and what stands
/// before; put_records() finds out whether it does. Chunks follow one another, and stay within the output; so
/// do their records within the image.
Result<std::vector<EncodeWork::EncodedByDevice>> EncodeWork::read_results() const {
  const cuda::EncodeJob& job = layout_.job;
  const auto chunks = result<cuda::frames::FramesPlace>(job.out_chunks, job.chunk_count());
  const auto lengths = result<cuda::PackedLengthsOfChunk>(job.packed_lengths, job.pack.chunk_count);
  const auto digests = result<std::uint64_t>(job.digests, chunks.size());
  std::vector<EncodedByDevice> all(chunks.size());
  std::uint64_t at = job.first, records = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    at += layout_.device[i].before_record;
    const std::uint64_t begin = job.first + chunks[i].offset, end = begin + chunks[i].bytes;
    if (begin < at || end < begin || end > layout_.packed_bytes) return contradiction();
    all[i].index = layout_.device[i].index;
    all[i].record.digest = digests[i];
    all[i].record.original_bytes = layout_.chunks[all[i].index].bytes;
    const bool is_stored = !lengths.empty() && lengths[i].widths == 0;
    all[i].record.plan = is_stored ? cuda::stored_plan() : request_.plan_bytes;
    all[i].record_at = at, all[i].record_bytes = begin - at, all[i].packed_bytes = chunks[i].bytes;
    records += all[i].record_bytes;
    if (records > layout_.records_bound()) return contradiction();
    at = end;
  }
  return all;
}

// ---- The output

Status EncodeWork::put(std::uint64_t at, std::span<const std::byte> bytes) {
  if (at + bytes.size() > layout_.packed_bytes) return contradiction();
  if (!request_.to_host) return queue_->copy_up(packed_ + at, bytes);
  std::ranges::copy(bytes, packed_ + at);
  return ok();
}

/// From the device into this memory.
Status EncodeWork::copy_original(std::size_t chunk, Buffer& memory, std::span<std::byte>& original) {
  original = memory.take(layout_.chunks[chunk].bytes);
  return queue_->copy_down(original, memory_.values + layout_.chunks[chunk].at);
}

/// All between the first record and the last frame, if it is to go to the host.
Status EncodeWork::fetch_frames(std::span<const EncodedByDevice> all) {
  if (all.empty() || !request_.to_host) return ok();
  if (auto done = queue_->wait(); !done) return done;
  const std::uint64_t first = layout_.job.first;
  const std::uint64_t end = all.back().record_at + all.back().record_bytes + all.back().packed_bytes;
  const std::span<std::byte> to(packed_ + first, static_cast<std::size_t>(end - first));
  return queue_->copy_down(to, memory_.packed + first);
}

/// Records of the device's chunks.
Status EncodeWork::put_records(std::span<EncodedByDevice> all) {
  if (all.empty()) return ok();
  const cuda::EncodeJob& job = layout_.job;
  std::vector<cuda::PutPiece> pieces;
  std::uint64_t from = job.records;
  for (const EncodedByDevice& made : all) {
    pieces.push_back({from, made.record_at, made.record_bytes});
    from += made.record_bytes;
  }
  const auto write = [&](std::size_t i, unsigned) {
    std::byte* to = request_.to_host ? packed_ + pieces[i].to : image_.data() + pieces[i].from;
    return write_record(i, all[i], to);
  };
  if (auto done = each_in_parallel(all.size(), helpers(layout_.tables.block_count), write); !done)
    return done;
  if (request_.to_host) return ok();
  put_table(image_, job.pieces, pieces.data(), pieces.size());
  return queue_->put_records(job, memory_, from);
}

Status EncodeWork::complete(std::size_t number, EncodedByDevice& made) const {
  const auto chunk = static_cast<std::uint32_t>(number);
  const cuda::EncodeJob& job = layout_.job;
  if (job.pack.chunk_count != 0) {
    const auto lengths = result<cuda::PackedLengthsOfChunk>(job.packed_lengths, job.pack.chunk_count);
    layout_.groups.describe(lengths[chunk], chunk, made.record);
  } else {
    layout_.batch.describe(encoded(), chunk, made.record);
  }
  return formats::packed_bytes(made.record) == made.packed_bytes ? ok() : Status(contradiction());
}

Status EncodeWork::write_record(std::size_t number, EncodedByDevice& made, std::byte* to) const {
  if (auto done = complete(number, made); !done) return done;
  const auto bytes = formats::serialize(std::exchange(made.record, {}));
  if (bytes.size() != made.record_bytes) return contradiction();
  std::ranges::copy(bytes, to);
  return ok();
}

// ---- Lone blocks

Status EncodeWork::finish_blocks(std::span<EncodedByDevice> made, DeviceEncoded& out) {
  out.blocks.resize(layout_.chunks.size());
  std::vector<std::size_t> cpu;
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::size_t index = layout_.device[i].index;
    const std::uint64_t bytes = made[i].record_bytes + made[i].packed_bytes;
    out.blocks[index] = {made[i].record_at, bytes};
    out.bytes = made[i].record_at + bytes;
    if (bytes <= block_bound(layout_.chunks[index].bytes)) continue;
    cpu.push_back(index), places.push_back(made[i].record_at);
  }
  if (auto done = fetch_frames(made); !done) return done;
  if (auto done = put_records(made); !done) return done;
  // Blocks of the CPU stand after all others, or in the place of frames that were written before.
  constexpr std::uint64_t kAfterAll = ~std::uint64_t{0};
  cpu.insert(cpu.end(), layout_.cpu.begin(), layout_.cpu.end());
  places.resize(cpu.size(), kAfterAll);
  out.cpu_chunks = cpu.size();
  if (cpu.empty()) return ok();
  if (auto done = queue_->wait(); !done) return done;
  return encode_blocks(cpu, places, out);
}

Status EncodeWork::encode_blocks(std::span<const std::size_t> chunks, std::span<const std::uint64_t> places,
                                 DeviceEncoded& out) {
  struct Worker {
    BlockEncoder encoder;
    Buffer values, memory;
    std::span<std::byte> original;
    std::span<const std::byte> block;
  };
  std::deque<Worker> workers(round_size(chunks.size(), threads_));
  return in_rounds(
      chunks.size(), workers.size(),
      [&](std::size_t number, std::size_t place) {
        return copy_original(chunks[number], workers[place].values, workers[place].original);
      },
      [&](std::size_t, std::size_t place) -> Status {
        Worker& own = workers[place];
        const auto room = own.memory.take(block_bound(own.original.size()));
        const auto length = own.encoder.encode(request_.plan, own.original, room);
        if (!length) return length.error();
        own.block = room.first(*length);
        return ok();
      },
      [&](std::size_t number, std::size_t place) -> Status {
        const auto block = workers[place].block;
        const std::uint64_t at = places[number] < out.bytes ? places[number] : out.bytes;
        out.blocks[chunks[number]] = {at, block.size()};
        out.bytes = std::max(out.bytes, at + block.size());
        return put(at, block);
      });
}

// ---- Streams

Status EncodeWork::close_part(formats::StreamState& state, bool last) {
  const auto part = state.index_part(last);
  const auto record = formats::serialize(part);
  const std::uint64_t at = state.offset();
  state.add(part, record.size());
  return put(at, record);
}

Status EncodeWork::finish_stream(std::span<EncodedByDevice> made, DeviceEncoded& out) {
  const EncodeStream& stream = *request_.stream;
  formats::StreamState state(stream.header, stream.header_record);
  std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> parts;  // of the index, between chunks
  for (EncodedByDevice& chunk : made) {
    if (!state.can_list(chunk.record.plan)) {
      const auto part = state.index_part(false);
      parts.emplace_back(state.offset(), formats::serialize(part));
      state.add(part, parts.back().second.size());
    }
    state.place(chunk.record);
    if (chunk.record.offset != chunk.record_at) return contradiction();
    state.add(chunk.record, chunk.record_bytes + chunk.packed_bytes);
  }
  if (auto done = fetch_frames(made); !done) return done;
  for (const auto& [at, record] : parts)
    if (auto done = put(at, record); !done) return done;
  if (auto done = encode_rest(state); !done) return done;
  if (!layout_.chunks.empty())
    if (auto done = close_part(state, true); !done) return done;
  const auto end = state.end();
  if (auto done = put(state.offset(), formats::serialize(end)); !done) return done;
  if (auto done = put(0, stream.header_record); !done) return done;
  out.bytes = end.stream_bytes;
  out.cpu_chunks = layout_.cpu.size();
  return put_records(made);
}

/// Chunks of the CPU follow those of the device.
Status EncodeWork::encode_rest(formats::StreamState& state) {
  if (layout_.cpu.empty()) return ok();
  struct Worker {
    explicit Worker(int level) : encoder(level) {}
    ChunkEncoder encoder;
    Buffer values;
    std::span<std::byte> original;
    EncodedChunk encoded;
  };
  std::deque<Worker> workers;  // a deque because encoders cannot be moved
  while (workers.size() < round_size(layout_.cpu.size(), threads_))
    workers.emplace_back(request_.stream->level);
  const Recipe recipe = recipe_of(request_.plan);
  return in_rounds(
      layout_.cpu.size(), workers.size(),
      [&](std::size_t number, std::size_t place) {
        return copy_original(layout_.cpu[number], workers[place].values, workers[place].original);
      },
      [&](std::size_t, std::size_t place) {
        Worker& own = workers[place];
        return own.encoder.encode(own.original, recipe, request_.frame_bytes, own.encoded);
      },
      [&](std::size_t, std::size_t place) -> Status {
        EncodedChunk& encoded = workers[place].encoded;
        if (!state.can_list(encoded.record.plan))
          if (auto done = close_part(state, false); !done) return done;
        state.place(encoded.record);
        const auto record = formats::serialize(encoded.record);
        const std::uint64_t at = state.offset();
        state.add(encoded.record, record.size() + encoded.packed.size());
        if (auto done = put(at, record); !done) return done;
        return put(at + record.size(), encoded.packed);
      });
}

// ---- Finish

Result<DeviceEncoded> EncodeWork::finish() {
  if (state_ != State::encoding) return usage("encode() has to come before finish()");
  state_ = State::prepared;
  DeviceEncoded out;
  const Status done = guarded([&] { return finish_all(out); });
  const Status through = queue_->wait();  // also after an error: the memory is the caller's again
  if (!done) return done.error();
  if (!through) return through.error();
  return out;
}

Result<std::vector<EncodeWork::EncodedByDevice>> EncodeWork::finish_chunks() {
  if (state_ != State::encoding) return usage("encode() has to come before finish_chunks()");
  state_ = State::prepared;
  auto made = guarded([&] { return take_chunks(); });
  const Status through = queue_->wait();  // as in finish()
  if (made && !through) return through.error();
  return made;
}

Result<std::vector<EncodeWork::EncodedByDevice>> EncodeWork::take_chunks() {
  if (auto done = queue_->wait_for_results(); !done) return done.error();
  auto made = read_results();
  if (!made) return made;
  for (std::size_t i = 0; i < made->size(); ++i)
    if (auto done = complete(i, (*made)[i]); !done) return done.error();
  if (auto done = fetch_frames(*made); !done) return done.error();
  return made;
}

/// The host's work, while the device still writes frames.
Status EncodeWork::finish_all(DeviceEncoded& out) {
  if (auto done = queue_->wait_for_results(); !done) return done;
  auto made = read_results();
  if (!made) return made.error();
  return request_.stream ? finish_stream(*made, out) : finish_blocks(*made, out);
}

}  // namespace tdz
