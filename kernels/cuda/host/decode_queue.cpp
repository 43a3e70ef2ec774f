// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/decode_queue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "kernels/cuda/digest/digest.hpp"
#include "kernels/cuda/frames/decode_launch.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"
#include "kernels/cuda/host/pinned_memory.hpp"

namespace tdz::cuda {
namespace {

/// The streams of one enqueue(), and the events between them.
struct Streams {
  cudaStream_t main = nullptr;                        ///< the caller's
  cudaStream_t copy = nullptr;                        ///< packed bytes, and values of the host
  std::array<cudaStream_t, kDecodeStreams> decode{};  ///< slices, in turn
};

/// Tables of a job, in device memory.
class JobTables {
 public:
  /// `results`: DecodeJob::result, as the device sees it.
  JobTables(const DecodeJob& job, const DecodeMemory& memory, std::uint32_t* results)
      : job_(job), memory_(memory), results_(results) {}

  DeviceTables of(const DecodeSlice& slice) const {
    DeviceTables tables;
    tables.blocks = table<uniform::BlockPlace>(job_.blocks);
    tables.lanes = table<uniform::LanePlace>(job_.lanes);
    for (std::size_t w = 0; w < kWordKinds; ++w) {
      tables.groups[w] = table<uniform::BlockGroup>(job_.groups[w]) + slice.groups[w].first;
      tables.group_count[w] = slice.groups[w].count;
      tables.code_limit[w] = job_.code_limit[w];
      tables.team[w] = job_.team[w];
    }
    tables.checks = table<uniform::ByteCheck>(job_.checks) + slice.checks.first;
    tables.check_count = slice.all_packed ? 0 : slice.checks.count;
    tables.joins = table<uniform::RawJoin>(job_.joins) + slice.joins.first;
    tables.join_count = slice.joins.count;
    return tables;
  }

  DecodeBuffers buffers() const {
    DecodeBuffers buffers;
    buffers.packed = packed_bytes(job_, memory_);
    buffers.side = memory_.scratch + job_.side;
    buffers.joined = memory_.scratch + job_.joined;
    buffers.work = memory_.scratch + job_.work;
    buffers.values = memory_.values;
    buffers.status = status();
    return buffers;
  }

  DigestBatch digests(const DecodeSlice& slice) const {
    DigestBatch batch;
    batch.data = memory_.values + slice.values_at;
    batch.bytes = slice.values_bytes;
    batch.chunks = table<ChunkPlace>(job_.places) + slice.chunks.first;
    batch.count = slice.chunks.count;
    batch.longest = slice.longest;
    batch.wanted = table<std::uint64_t>(job_.wanted) + slice.chunks.first;
    batch.status = status() + slice.chunks.first;
    batch.results = results_ + slice.chunks.first;
    batch.has_rows = slice.leaves_rows;
    return batch;
  }

  std::uint32_t* status() const { return table<std::uint32_t>(job_.status); }

 private:
  template <class T>
  T* table(std::uint64_t at) const {
    return reinterpret_cast<T*>(memory_.scratch + at);
  }

  const DecodeJob& job_;
  const DecodeMemory& memory_;
  std::uint32_t* const results_;
};

/// Device memory that is kept for the next call.
class GrowingMemory {
 public:
  Result<std::byte*> take(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_ = {};
      bytes_ = 0;
      if (auto made = allocate_device(memory_, bytes); !made) return made.error();
      bytes_ = bytes;
    }
    return static_cast<std::byte*>(memory_.get());
  }

 private:
  DeviceMemory memory_;
  std::size_t bytes_ = 0;
};

class CudaDecodeQueue final : public DecodeQueue {
 public:
  /// The device may still read the image, or pieces.
  ~CudaDecodeQueue() override {
    static_cast<void>(wait());
    static_cast<void>(cudaStreamSynchronize(copy_.get()));
  }

  Status make() {
    Status made = checked(cudaGetDevice(&device_), "cudaGetDevice");
    if (made) made = checked(current_shape(shape_), "cudaDeviceGetAttribute");
    if (made) made = make_stream(own_);
    if (made) made = make_stream(copy_);
    if (made) made = make_event(done_);
    for (Event* event : {&sent_, &begin_, &tables_, &sides_, &copied_}) {
      if (made) made = make_signal(*event);
    }
    for (std::size_t i = 0; i < kDecodeStreams; ++i) {
      if (made) made = make_stream(decode_[i]);
      if (made) made = make_signal(decoded_[i]);
    }
    return made;
  }

  int device() const override { return device_; }
  Status make_current() override { return checked(cudaSetDevice(device_), "cudaSetDevice"); }
  CUstream_st* stream() const override { return own_.get(); }

  Result<std::byte*> memory(std::size_t bytes) override { return memory_.take(bytes); }

  Result<std::span<std::byte>> pinned(std::size_t bytes) override {
    if (bytes == 0) return std::span<std::byte>();
    return pinned_.take(bytes);
  }

  Status make_pieces(unsigned threads) override { return pieces_.make(threads); }
  Result<std::span<std::byte>> piece(unsigned thread) override {
    if (auto current = make_current(); !current) return current.error();
    return pieces_.take(thread);
  }
  Status send(unsigned thread, std::byte* to, std::size_t bytes) override {
    has_pieces_ = true;
    return pieces_.send(thread, to, bytes, copy_.get());
  }

  bool is_pinned(std::span<const std::byte> bytes) const override {
    const auto pinned = [](const std::byte& at) {
      cudaPointerAttributes found{};
      return checked(cudaPointerGetAttributes(&found, &at), "cudaPointerGetAttributes") &&
             found.type == cudaMemoryTypeHost;
    };
    return !bytes.empty() && pinned(bytes.front()) && pinned(bytes.back());
  }

  std::uint64_t step_scratch_bytes(const StepRun& run) const override { return undo_scratch_bytes(run); }
  std::uint64_t step_scratch_bytes(const PackedRun& run) const override {
    return undo_scratch_bytes(run, shape_);
  }

  Status prepare(const DecodeJob& job) override {
    while (slice_events_.size() < job.slices.size()) {
      Event event;
      if (auto made = make_signal(event); !made) return made;
      slice_events_.push_back(std::move(event));
    }
    return ok();
  }

  Status enqueue(const DecodeJob& job, const DecodeMemory& memory, CUstream_st* stream) override {
    write_addresses(job, memory);
    if (auto open = open_results(job, memory); !open) return open;
    Streams on{stream, copy_.get(), {}};
    // A single slice has nothing beside it.
    const bool alone = job.slices.size() < 2;
    for (std::size_t i = 0; i < kDecodeStreams; ++i) on.decode[i] = alone ? stream : decode_[i].get();
    const Status done = enqueue_all(job, memory, on);
    if (done) return done;
    // Nothing of it may still run when the caller takes its memory back.
    for (const cudaStream_t used : on.decode) static_cast<void>(cudaStreamSynchronize(used));
    for (const cudaStream_t used : {on.copy, on.main}) static_cast<void>(cudaStreamSynchronize(used));
    return done;
  }

  Status wait() override { return checked(cudaEventSynchronize(done_.get()), "cudaEventSynchronize"); }

  Status copy_down(std::span<std::byte> to, const std::byte* from) override {
    return copy_now(to.data(), from, to.size(), cudaMemcpyDeviceToHost, copy_.get());
  }
  Status copy_up(std::byte* to, std::span<const std::byte> from) override {
    return copy_now(to, from.data(), from.size(), cudaMemcpyHostToDevice, copy_.get());
  }
  Status gather(std::span<std::byte> to, const std::byte* from, std::span<const PutPiece> pieces) override {
    const std::size_t bytes = pieces.size_bytes() + to.size();
    // Most calls are for less than this, and a second allocation would take longer than what is copied.
    const auto memory = gathered_.take(std::max<std::size_t>(bytes, 2u << 20));
    if (!memory) return memory.error();
    std::byte* table = *memory;
    std::byte* side_by_side = table + pieces.size_bytes();
    Status done =
        enqueue_copy(table, pieces.data(), pieces.size_bytes(), cudaMemcpyHostToDevice, copy_.get());
    if (done)
      done = checked(static_cast<cudaError_t>(launch_put_pieces(reinterpret_cast<const PutPiece*>(table),
                                                                static_cast<std::uint32_t>(pieces.size()),
                                                                from, side_by_side, copy_.get())),
                     "gathering records");
    return done ? copy_now(to.data(), side_by_side, to.size(), cudaMemcpyDeviceToHost, copy_.get()) : done;
  }

 private:
  /// A chunk whose status does not come counts as refused.
  Status open_results(const DecodeJob& job, const DecodeMemory& memory) {
    if (job.chunk_count == 0) return ok();
    std::byte* results = memory.image + job.result;
    std::memset(results, 0xFF, job.chunk_count * sizeof(std::uint32_t));
    void* on_device = nullptr;
    const Status found =
        checked(cudaHostGetDevicePointer(&on_device, results, 0), "cudaHostGetDevicePointer");
    results_ = static_cast<std::uint32_t*>(on_device);
    return found;
  }

  static Status copy_image(const DecodeMemory& memory, std::uint64_t at, std::uint64_t bytes,
                           cudaStream_t stream) {
    return enqueue_copy(memory.scratch + at, memory.image + at, bytes, cudaMemcpyHostToDevice, stream);
  }

  static Status copy_packed(const DecodeJob& job, const DecodeMemory& memory, const DecodeSlice& slice,
                            cudaStream_t stream) {
    if (job.direct.empty()) return copy_image(memory, slice.packed_at, slice.packed_bytes, stream);
    Status done = ok();
    for (const PackedCopy& copy : std::span(job.direct).subspan(slice.chunks.first, slice.chunks.count))
      if (done)
        done = enqueue_copy(memory.scratch + copy.to, copy.from, copy.bytes, cudaMemcpyHostToDevice, stream);
    return done;
  }

  /// Tables and packed bytes go to the device, slice by slice, while the device decodes slices before them.
  Status enqueue_all(const DecodeJob& job, const DecodeMemory& memory, const Streams& on) {
    const bool copies = uses_copy_stream(job);
    Status done = has_pieces_ || copies ? link(on.copy, sent_, on.main) : ok();
    if (done && copies) done = link(on.main, begin_, on.copy);
    if (done && job.chunk_count != 0) done = copy_image(memory, 0, job.early_bytes, on.main);
    if (done) done = fork(on);
    if (done && has_late_sides(job)) {
      done = copy_image(memory, job.early_bytes, job.head_bytes - job.early_bytes, on.copy);
      if (done) done = checked(cudaEventRecord(sides_.get(), on.copy), "cudaEventRecord");
    }
    for (std::size_t s = 0; s < job.slices.size() && done; ++s) done = enqueue_slice(job, memory, s, on);
    for (const ValuesCopy& copy : job.copies) {
      if (!done) break;
      done = enqueue_copy(memory.values + copy.to, memory.image + copy.from, copy.bytes,
                          cudaMemcpyHostToDevice, on.copy);
    }
    if (done && copies) done = link(on.copy, copied_, on.main);
    if (done) done = join(on);
    if (done) done = checked(cudaEventRecord(done_.get(), on.main), "cudaEventRecord");
    return done;
  }

  static bool has_late_sides(const DecodeJob& job) {
    return job.chunk_count != 0 && job.early_bytes < job.head_bytes;
  }

  /// Where all packed bytes are on the device, and a slice needs no more, waits between streams would be a
  /// good part of the time of few chunks.
  static bool uses_copy_stream(const DecodeJob& job) {
    const auto brings_bytes = [](const DecodeSlice& slice) { return slice.packed_bytes != 0; };
    return has_late_sides(job) || !job.copies.empty() || std::ranges::any_of(job.slices, brings_bytes);
  }

  /// Slices wait for the tables.
  Status fork(const Streams& on) {
    Status done = ok();
    for (const cudaStream_t decode : on.decode) {
      if (done && decode != on.main) done = link(on.main, tables_, decode);
    }
    return done;
  }
  Status join(const Streams& on) {
    Status done = ok();
    for (std::size_t i = 0; i < kDecodeStreams; ++i) {
      if (done && on.decode[i] != on.main) done = link(on.decode[i], decoded_[i], on.main);
    }
    return done;
  }

  Status enqueue_slice(const DecodeJob& job, const DecodeMemory& memory, std::size_t number,
                       const Streams& on) {
    const DecodeSlice& slice = job.slices[number];
    const JobTables tables(job, memory, results_);
    const std::size_t turn = number % kDecodeStreams;
    const cudaStream_t stream = on.decode[turn];
    Status done = ok();
    if (slice.packed_bytes != 0) {
      done = copy_packed(job, memory, slice, on.copy);
      if (done) done = link(on.copy, slice_events_[number], stream);
    }
    if (done)
      done = checked(launch_decode_frames(tables.of(slice), tables.buffers(), stream), "decoding frames");
    if (done) done = checked(launch_plain(slice, job, memory, stream), "plain chunks");
    for (std::uint32_t r = 0; r < slice.packed_runs.count && done; ++r) {
      const PackedRun& run = job.packed_runs[slice.packed_runs.first + r];
      done = checked(launch_packed(run, slice, job, memory, shape_, turn, stream), "packed groups");
    }
    if (done && slice.runs.count != 0 && has_late_sides(job))
      done = checked(cudaStreamWaitEvent(stream, sides_.get()), "cudaStreamWaitEvent");
    for (std::uint32_t r = 0; r < slice.runs.count && done; ++r) {
      const StepRun& run = job.runs[slice.runs.first + r];
      done = checked(launch_undo(run, slice, job, memory, turn, stream), "undoing steps");
    }
    if (done)
      done = checked(launch_digest(tables.digests(slice), memory.scratch + slice.digest_scratch, stream),
                     "digests");
    return done;
  }

  int device_ = 0;
  DeviceShape shape_;
  Stream own_, copy_;
  std::array<Stream, kDecodeStreams> decode_;
  Event sent_, begin_, tables_, sides_, copied_, done_;
  std::array<Event, kDecodeStreams> decoded_;
  std::vector<Event> slice_events_;  ///< a slice was copied
  PinnedPages pinned_;
  PinnedPieces pieces_;
  std::atomic<bool> has_pieces_ = false;  ///< on their way, or there
  GrowingMemory memory_, gathered_;
  std::uint32_t* results_ = nullptr;  ///< of the job on the stream
};

}  // namespace

Result<std::unique_ptr<DecodeQueue>> make_cuda_decode_queue() {
  if (auto usable = check_device(); !usable) return usable.error();
  auto queue = std::make_unique<CudaDecodeQueue>();
  if (auto made = queue->make(); !made) return made.error();
  return std::unique_ptr<DecodeQueue>(std::move(queue));
}

Result<DecodeQueues> make_cuda_decode_queues(const std::vector<int>& devices, std::size_t count) {
  auto started = start_cuda_devices(devices);
  if (!started) return started.error();
  DecodeQueues made{*std::move(started), {}};
  while (made.queues.size() < count) {
    const int number = made.devices[made.queues.size() % made.devices.size()].number;
    if (auto used = checked(cudaSetDevice(number), "cudaSetDevice"); !used) return used.error();
    auto queue = make_cuda_decode_queue();
    if (!queue) return queue.error();
    made.queues.push_back(*std::move(queue));
  }
  return made;
}

}  // namespace tdz::cuda
