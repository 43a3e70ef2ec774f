// SPDX-License-Identifier: Apache-2.0
#include "codec/device/decode_work.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/zstd_coder.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/resources.hpp"
#include "formats/plan/substreams.hpp"
#include "kernels/cuda/packed/packed_plan.hpp"
#include "kernels/steps/column_decoder.hpp"

namespace tdz {

// ---- What the host decodes of a chunk before a device decodes the rest: ordinary frames, and columns that
// have no uniform blocks.

/// The frames of a chunk: all that it has, or its ordinary ones, side by side.
struct PackedFrames {
  std::span<const std::byte> bytes;
  bool is_whole_chunk = true;
};

/// For one thread; keeps its memory. The constructor throws std::bad_alloc.
class HostSide {
 public:
  /// Fills this chunk's part of the side bytes. An error only tells that the device must not decode this
  /// chunk.
  Status fill(const ParsedChunk& chunk, const DecodeOnDevice& device, const PackedFrames& packed,
              std::span<std::byte> side);

 private:
  Status decode_column(const ParsedChunk& chunk, const DecodeOnDevice& device, const HostColumn& column,
                       std::span<std::byte> side);

  ZstdDecoder zstd_;
  ColumnDecoder columns_;
  Buffer substreams_;
};

Status HostSide::fill(const ParsedChunk& chunk, const DecodeOnDevice& device, const PackedFrames& packed,
                      std::span<std::byte> side) {
  std::size_t at = 0;
  for (const uniform::OrdinaryFrame& frame : device.frames) {
    const auto begin = static_cast<std::size_t>(packed.is_whole_chunk ? frame.packed : at);
    const auto from = packed.bytes.subspan(begin, frame.packed_bytes);
    const auto to = side.subspan(static_cast<std::size_t>(frame.side), frame.unpacked_bytes);
    if (auto done = zstd_.decode(from, to); !done) return done;
    at += frame.packed_bytes;
  }
  for (const HostColumn& column : device.host_columns) {
    if (auto done = decode_column(chunk, device, column, side); !done) return done;
  }
  return ok();
}

/// As a chunk that has this column alone.
Status HostSide::decode_column(const ParsedChunk& chunk, const DecodeOnDevice& device, const HostColumn& host,
                               std::span<std::byte> side) {
  const Column& column = chunk.plan.columns[host.column];
  std::size_t first = 0;
  for (std::size_t c = 0; c < host.column; ++c) first += formats::substream_count(chunk.plan.columns[c]);
  const auto lengths = std::span(chunk.record.substreams).subspan(first, formats::substream_count(column));
  std::size_t bytes = 0;
  for (const std::uint32_t length : lengths) bytes += length;
  const auto substreams = substreams_.take(bytes);
  auto to = substreams.begin();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto at = static_cast<std::size_t>(device.substreams[first + i].side);
    to = std::ranges::copy(side.subspan(at, lengths[i]), to).out;
  }
  const std::uint64_t rows = formats::rows_of(chunk.plan, chunk.record.original_bytes);
  const auto words = side.subspan(static_cast<std::size_t>(host.words_at),
                                  static_cast<std::size_t>(rows * row_bytes(column)));
  return columns_.decode(Plan{Coding::zstd, {column}}, lengths, substreams, words);
}

// ---- Stores

namespace {

/// The values of a slice, where chunks come from the host: enough that the copies of one slice hide the
/// kernels of the one before.
constexpr std::uint64_t kHostSlice = 64u << 20;

/// Bytes of ordinary frames that come from device memory together, and of each that a thread block copies.
constexpr std::uint64_t kSidesAtOnce = 16u << 20, kSidePiece = 16u << 10;

/// A status that the host gives: the device leaves such a chunk alone.
constexpr std::uint32_t kRefusedByHost = 0x401;
constexpr auto kWrongDigest = static_cast<std::uint32_t>(cuda::DigestStatus::differs);

template <class T>
void put_table(std::span<std::byte> image, std::uint64_t at, const std::vector<T>& table) {
  if (!table.empty()) std::memcpy(image.data() + at, table.data(), table.size() * sizeof(T));
}

}  // namespace

DecodeWork::DecodeWork(std::unique_ptr<cuda::DecodeQueue> queue, const DeviceDecoderOptions& options)
    : options_(options), threads_(worker_count(options.threads)), queue_(std::move(queue)) {}

StoreOptions DecodeWork::store_options() const {
  return {options_.threads, options_.memory, options_.parallel_reads};
}

void DecodeWork::take_stream(RandomAccess& file) {
  store_ = stream_store(file, store_options());
}

void DecodeWork::take_stream(std::span<const std::byte> stored) {
  stored_ = stored;
  owned_file_ = std::make_unique<MemoryRandomAccess>(stored);
  StoreOptions options = store_options();
  options.is_thread_safe = true;
  store_ = stream_store(*owned_file_, options);
}

/// Makes the file of bytes in device memory.
StoreOptions DecodeWork::own_file_on_device(const std::byte* stored, std::uint64_t bytes) {
  auto access = std::make_unique<DeviceAccess>(*queue_, stored, bytes);
  StoreOptions options = store_options();
  options.is_thread_safe = false;
  options.expect = [to = access.get()](std::vector<std::uint64_t> places) { to->expect(std::move(places)); };
  owned_file_ = std::move(access);
  return options;
}

void DecodeWork::take_stream_on_device(const std::byte* stored, std::uint64_t bytes) {
  on_device_ = stored;
  const StoreOptions options = own_file_on_device(stored, bytes);
  store_ = stream_store(*owned_file_, options);
}

void DecodeWork::take_blocks(std::span<const std::span<const std::byte>> blocks) {
  store_ = block_store(blocks, store_options());
}

void DecodeWork::take_blocks_on_device(const std::byte* stored, std::span<const PackedBlock> blocks) {
  on_device_ = stored;
  std::uint64_t end = 0;
  for (const PackedBlock& block : blocks) end = std::max(end, block.offset + block.bytes);
  const StoreOptions options = own_file_on_device(stored, end);
  store_ = block_store(*owned_file_, blocks, options);
}

// ---- Select

Result<DeviceSizes> DecodeWork::select(const std::optional<Range>& range) {
  if (state_ == State::decoding) return usage("finish() has to follow decode()");
  state_ = State::opened;
  auto selection = store_->select(range);
  if (!selection) return selection.error();
  selection_ = *std::move(selection);
  const std::uint64_t usual = on_device_ != nullptr || in_pieces_ ? 0 : kHostSlice;
  const LayoutOptions how{on_device_ != nullptr, direct(), in_pieces_,
                          options_.slice != 0 ? options_.slice : usual};
  layout_ = layout_of(selection_, how, *queue_);
  state_ = State::selected;
  return sizes();
}

/// The caller's memory, if the device can copy all its chunks from there.
const std::byte* DecodeWork::direct() const {
  if (stored_.empty()) return nullptr;
  const bool all = std::ranges::all_of(selection_.chunks, [this](const SelectedChunk& chunk) {
    const Plan& plan = chunk.parsed.plan;
    if (!cuda::is_for_device(plan) && !cuda::is_plain(plan)) return true;  // the CPU's
    const bool is_there =
        chunk.store_at <= stored_.size() && chunk.packed_bytes <= stored_.size() - chunk.store_at;
    if (chunk.packed_bytes == 0) return is_there;
    return is_there && queue_->is_pinned(stored_.subspan(static_cast<std::size_t>(chunk.store_at),
                                                         static_cast<std::size_t>(chunk.packed_bytes)));
  });
  return all ? stored_.data() : nullptr;
}

DeviceSizes DecodeWork::sizes() const {
  DeviceSizes sizes;
  sizes.original = selection_.original, sizes.skip = selection_.skip, sizes.wanted = selection_.wanted;
  for (const SelectedChunk& chunk : selection_.chunks) sizes.packed += chunk.packed_bytes;
  sizes.scratch = layout_.scratch_bytes, sizes.pinned = pinned_bytes();
  sizes.chunks = selection_.chunks.size(), sizes.cpu_chunks = layout_.cpu.size();
  return sizes;
}

// ---- Load

std::uint64_t DecodeWork::pinned_bytes() const {
  return layout_.image_bytes + (brings_back_ ? selection_.original : 0);
}

Status DecodeWork::check_pinned() const {
  const std::uint64_t most = options_.pinned != 0 ? options_.pinned : usable_memory().value_or(~0ull) / 2;
  if (pinned_bytes() <= most) return ok();
  return Error{ErrorKind::limit, "this range needs " + std::to_string(pinned_bytes()) +
                                     " bytes of pinned memory, but the limit is " + std::to_string(most)};
}

std::span<std::byte> DecodeWork::image_at(std::uint64_t at, std::uint64_t bytes) const {
  return image_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(bytes));
}

Status DecodeWork::load(std::byte* scratch) {
  if (state_ == State::opened) return usage("select() has to come before load()");
  if (state_ == State::decoding) return usage("finish() has to follow decode()");
  state_ = State::selected;
  if (auto fits = check_pinned(); !fits) return fits;
  auto memory = queue_->pinned(static_cast<std::size_t>(pinned_bytes()));
  if (!memory) return memory.error();
  image_ = memory->first(static_cast<std::size_t>(layout_.image_bytes));
  brought_back_ = memory->subspan(image_.size());
  errors_.assign(selection_.chunks.size(), std::nullopt);
  write_tables();
  Status done = queue_->prepare(layout_.job);
  if (done) done = load_device_chunks(scratch);
  if (done) done = load_cpu_chunks();
  if (!done) return done;
  std::ranges::copy(selection_.restored, image_at(layout_.restored_at, selection_.restored.size()).begin());
  state_ = State::loaded;
  return ok();
}

void DecodeWork::write_tables() {
  const cuda::DecodeJob& job = layout_.job;
  const uniform::DecodeTables& t = layout_.tables;
  std::vector<std::uint64_t> wanted;
  std::vector<cuda::ChunkPlace> places;
  for (const cuda::DecodeSlice& slice : job.slices) {
    for (const DecodeOnDevice& chunk :
         std::span(layout_.device).subspan(slice.chunks.first, slice.chunks.count)) {
      const SelectedChunk& source = selected(chunk.index);
      wanted.push_back(source.parsed.record.digest);
      places.push_back({source.values_at - slice.values_at, source.parsed.record.original_bytes});
    }
  }
  put_table(image_, job.status, std::vector<std::uint32_t>(layout_.device.size(), 0));
  put_table(image_, job.wanted, wanted);
  put_table(image_, job.places, places);
  put_table(image_, job.blocks, t.blocks);
  put_table(image_, job.lanes, t.lanes);
  for (std::size_t w = 0; w < uniform::kWordKinds; ++w) put_table(image_, job.groups[w], t.groups[w]);
  put_table(image_, job.checks, t.checks);
  put_table(image_, job.joins, t.joins);
  put_table(image_, job.rules, job.lane_rules);
  put_table(image_, job.packed_table, job.packed_chunks);
  put_table(image_, job.plain_table, job.plain_chunks);
}

/// The host reads packed bytes into the image, and they go on from there.
bool DecodeWork::has_image_of_packed() const {
  return on_device_ == nullptr && layout_.job.direct.empty() && !in_pieces_;
}

Status DecodeWork::load_device_chunks(std::byte* scratch) {
  Status done = ok();
  if (has_image_of_packed()) done = load_packed();
  if (in_pieces_) done = send_packed(scratch + layout_.job.packed);
  return done ? load_sides() : done;
}

/// All frames come into the image.
Status DecodeWork::load_packed() {
  const auto& chunks = layout_.device;
  return each_in_parallel(
      chunks.size(), store_->is_thread_safe() ? threads_ : 1, [&](std::size_t i, unsigned) {
        const SelectedChunk& source = selected(chunks[i].index);
        return store_->read(source, 0,
                            image_at(layout_.job.packed + chunks[i].packed_at, source.packed_bytes));
      });
}

/// All frames go to the device, while others are read.
Status DecodeWork::send_packed(std::byte* to) {
  if (layout_.packed_bytes == 0) return ok();
  if (auto made = queue_->make_pieces(threads_); !made) return made;
  const std::size_t pieces = (layout_.packed_bytes - 1) / cuda::kPieceBytes + 1;
  return each_in_parallel(pieces, threads_, [&](std::size_t i, unsigned worker) {
    return send_piece(worker, i * cuda::kPieceBytes, to);
  });
}

/// The packed bytes from `begin` on: the parts of chunks that lie there.
Status DecodeWork::send_piece(unsigned worker, std::uint64_t begin, std::byte* to) {
  const std::uint64_t end = std::min<std::uint64_t>(begin + cuda::kPieceBytes, layout_.packed_bytes);
  auto piece = queue_->piece(worker);
  if (!piece) return piece.error();
  const auto next = std::ranges::upper_bound(layout_.device, begin, {}, &DecodeOnDevice::packed_at);
  for (auto chunk = std::prev(next); chunk != layout_.device.end() && chunk->packed_at < end; ++chunk) {
    const SelectedChunk& source = selected(chunk->index);
    const std::uint64_t first = std::max(begin, chunk->packed_at);
    const std::uint64_t last = std::min(end, chunk->packed_at + source.packed_bytes);
    if (first >= last) continue;  // a gap between chunks begins the piece
    const auto part =
        piece->subspan(static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - first));
    if (auto done = store_->read(source, first - chunk->packed_at, part); !done) return done;
  }
  return queue_->send(worker, to + begin, static_cast<std::size_t>(end - begin));
}

/// What the host decodes of the device's chunks.
Status DecodeWork::load_sides() {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < layout_.device.size(); ++i) {
    const DecodeOnDevice& chunk = layout_.device[i];
    if (!chunk.frames.empty() || !chunk.host_columns.empty()) wanted.push_back(i);
  }
  std::vector<HostSide> sides(wanted.empty() ? 0 : threads_);
  if (on_device_ != nullptr) {
    const Status done = load_sides_from_device(wanted, sides);
    if (done || done.error().kind != ErrorKind::limit) return done;  // else there is no memory for a copy
  }
  std::vector<Buffer> memory(sides.size());
  std::mutex reading;  // of a store that one thread at a time may read
  return each_in_parallel(wanted.size(), threads_, [&](std::size_t i, unsigned worker) -> Status {
    const DecodeOnDevice& chunk = layout_.device[wanted[i]];
    std::unique_lock alone(reading, std::defer_lock);
    if (!store_->is_thread_safe()) alone.lock();
    const auto packed = frames_of(chunk, memory[worker]);
    if (!packed) return packed.error();
    if (alone.owns_lock()) alone.unlock();
    fill_side(wanted[i], *packed, sides[worker]);
    return ok();
  });
}

/// Ordinary frames lie scattered in device memory. Those of many chunks come to the host by one copy, because
/// a copy of its own for each would take longer than all of the decoding.
Status DecodeWork::load_sides_from_device(std::span<const std::size_t> wanted, std::span<HostSide> sides) {
  Buffer memory;
  for (std::size_t first = 0, end = 0; first < wanted.size(); first = end) {
    std::vector<cuda::PutPiece> pieces;
    std::vector<std::uint64_t> ends{0};  // of the frames of a chunk, in the copy
    for (; end < wanted.size() && ends.back() < kSidesAtOnce; ++end) {
      const DecodeOnDevice& chunk = layout_.device[wanted[end]];
      std::uint64_t at = ends.back();
      for (const uniform::OrdinaryFrame& frame : chunk.frames) {
        const std::uint64_t from = selected(chunk.index).store_at + frame.packed;
        for (std::uint64_t begin = 0; begin < frame.packed_bytes; begin += kSidePiece) {
          const auto bytes = std::min<std::uint64_t>(kSidePiece, frame.packed_bytes - begin);
          pieces.push_back({from + begin, at + begin, bytes});
        }
        at += frame.packed_bytes;
      }
      ends.push_back(at);
    }
    const auto copy = memory.take(static_cast<std::size_t>(ends.back()));
    if (!pieces.empty())
      if (auto done = queue_->gather(copy, on_device_, pieces); !done) return done;
    const auto frames = std::span<const std::byte>(copy);
    in_parallel(end - first, threads_, [&](std::size_t i, unsigned worker) {
      const auto own =
          frames.subspan(static_cast<std::size_t>(ends[i]), static_cast<std::size_t>(ends[i + 1] - ends[i]));
      fill_side(wanted[first + i], {own, false}, sides[worker]);
    });
  }
  return ok();
}

/// A chunk's frames where they are in host memory already; otherwise its ordinary ones are read.
Result<PackedFrames> DecodeWork::frames_of(const DecodeOnDevice& chunk, Buffer& memory) {
  const SelectedChunk& source = selected(chunk.index);
  if (!layout_.job.direct.empty())
    return PackedFrames{stored_.subspan(static_cast<std::size_t>(source.store_at),
                                        static_cast<std::size_t>(source.packed_bytes))};
  if (has_image_of_packed())
    return PackedFrames{image_at(layout_.job.packed + chunk.packed_at, source.packed_bytes)};
  std::size_t bytes = 0;
  for (const uniform::OrdinaryFrame& frame : chunk.frames) bytes += frame.packed_bytes;
  const auto packed = memory.take(bytes);
  auto rest = packed;
  for (const uniform::OrdinaryFrame& frame : chunk.frames) {
    if (auto done = store_->read(source, frame.packed, rest.first(frame.packed_bytes)); !done)
      return done.error();
    rest = rest.subspan(frame.packed_bytes);
  }
  return PackedFrames{packed, false};
}

/// `number` is that of a chunk of the device.
void DecodeWork::fill_side(std::size_t number, const PackedFrames& packed, HostSide& host) {
  const DecodeOnDevice& chunk = layout_.device[number];
  const auto side = image_at(layout_.job.side, layout_.tables.side_bytes);
  const Status done = guarded([&] { return host.fill(selected(chunk.index).parsed, chunk, packed, side); });
  const std::uint32_t status = done ? 0 : kRefusedByHost;
  std::memcpy(image_.data() + layout_.job.status + number * sizeof(status), &status, sizeof(status));
}

// ---- Chunks of the CPU

/// Decodes selected chunks in rounds: one thread reads, then all decode. `room(number, memory)` gives a place
/// for each original, `take(number, original)` takes it. Errors of decoding go to errors_.
template <class Room, class Take>
Status DecodeWork::decode_on_cpu(std::span<const std::size_t> indexes, const Room& room, const Take& take) {
  struct Worker {
    ChunkDecoder decoder;
    Buffer packed, memory;
    std::span<std::byte> frames, original;
  };
  // A deque because decoders cannot be moved.
  std::deque<Worker> workers(round_size(indexes.size(), threads_));
  return in_rounds(
      indexes.size(), workers.size(),
      [&](std::size_t number, std::size_t place) {
        Worker& own = workers[place];
        const SelectedChunk& chunk = selected(indexes[number]);
        own.frames = own.packed.take(static_cast<std::size_t>(chunk.packed_bytes));
        own.original = room(number, own.memory);
        return store_->read(chunk, 0, own.frames);
      },
      [&](std::size_t number, std::size_t place) {
        Worker& own = workers[place];
        const ParsedChunk& chunk = selected(indexes[number]).parsed;
        errors_[indexes[number]] =
            error_of(guarded([&] { return own.decoder.decode(chunk, own.frames, own.original); }));
        return ok();
      },
      [&](std::size_t number, std::size_t place) { return take(number, workers[place].original); });
}

Status DecodeWork::load_cpu_chunks() {
  if (layout_.cpu.empty()) return ok();
  std::vector<std::size_t> indexes;
  for (const DecodeOnCpu& chunk : layout_.cpu) indexes.push_back(chunk.index);
  return decode_on_cpu(
      indexes,
      [&](std::size_t number, Buffer&) {
        const DecodeOnCpu& chunk = layout_.cpu[number];
        return image_at(chunk.image_at, selected(chunk.index).parsed.record.original_bytes);
      },
      [](std::size_t, std::span<const std::byte>) { return ok(); });
}

/// Decodes chunks that the device refused, and puts them in their place.
Status DecodeWork::settle(std::span<const std::size_t> refused) {
  return decode_on_cpu(
      refused,
      [&](std::size_t number, Buffer& memory) {
        return memory.take(selected(refused[number]).parsed.record.original_bytes);
      },
      [&](std::size_t number, std::span<const std::byte> original) {
        const std::size_t index = refused[number];
        return errors_[index] ? ok() : queue_->copy_up(values_ + selected(index).values_at, original);
      });
}

// ---- Decode and finish

/// After wait().
std::uint32_t DecodeWork::status_of(std::size_t device_chunk) const {
  std::uint32_t status = 0;
  const auto* at = image_.data() + layout_.job.result + device_chunk * sizeof(status);
  std::memcpy(&status, at, sizeof(status));
  return status;
}

Status DecodeWork::decode(std::byte* values, void* scratch, CUstream_st* stream) {
  if (state_ == State::decoding) return usage("finish() has to follow decode()");
  if (state_ != State::loaded) return usage("load() has to come before decode()");
  const auto address = reinterpret_cast<std::uintptr_t>(scratch);
  if (values == nullptr && selection_.original != 0) return usage("there is no memory for values");
  if (scratch == nullptr && layout_.scratch_bytes != 0) return usage("there is no scratch memory");
  if (address % kDeviceAlignment != 0) return usage("scratch memory must be aligned to 256 bytes");
  const cuda::DecodeMemory memory{image_.data(), static_cast<std::byte*>(scratch), values, on_device_};
  if (auto done = queue_->enqueue(layout_.job, memory, stream); !done) return done;
  values_ = values;
  state_ = State::decoding;
  return ok();
}

Status DecodeWork::finish() {
  if (auto done = judge(); !done) return done;
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    if (errors_[i]) return store_->named(selected(i), *errors_[i]);
  }
  return ok();
}

Status DecodeWork::judge() {
  if (state_ != State::decoding) return usage("decode() has to come before finish()");
  state_ = State::loaded;
  if (auto done = queue_->wait(); !done) return done;
  std::vector<std::size_t> refused;
  for (std::size_t i = 0; i < layout_.device.size(); ++i) {
    if (status_of(i) != 0) refused.push_back(layout_.device[i].index);
  }
  refused_ = refused.size();
  wrong_ = 0;
  if (!refused.empty()) {
    if (auto done = settle(refused); !done) return done;
    for (std::size_t i = 0; i < layout_.device.size(); ++i)
      if (status_of(i) == kWrongDigest && !errors_[layout_.device[i].index]) ++wrong_;
  }
  if (brings_back_ && selection_.original != 0) {
    if (auto done = queue_->copy_down(brought_back_, values_); !done) return done;
  }
  return ok();
}

}  // namespace tdz
