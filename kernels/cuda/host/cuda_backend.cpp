// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/cuda_backend.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"

namespace tdz {
namespace {

using namespace tdz::cuda;

constexpr std::uint64_t kLargestSlot = 64u << 20;  ///< chunks for speed are shorter
constexpr std::uint64_t kSmallestSlot = 1u << 20;
constexpr std::uint64_t kSlotAlignment = 128;  ///< a cache line of the device

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kSlotAlignment - 1) / kSlotAlignment * kSlotAlignment;
}

/// Everything that one chunk needs, allocated once: pinned memory, device memory for input and output, and
/// room for the chunk between passes.
class Slot {
 public:
  static Result<std::unique_ptr<Slot>> make(int device, const DeviceShape& shape, std::uint64_t bytes) {
    auto slot = std::make_unique<Slot>(device, shape, bytes);
    Status made = make_stream(slot->stream_);
    if (made) made = make_event(slot->done_);
    if (made) made = allocate_pinned(slot->pinned_, bytes);
    if (made) made = allocate_device(slot->device_memory_, kRooms * bytes);
    if (!made) return made.error();
    return slot;
  }
  Slot(int device, const DeviceShape& shape, std::uint64_t bytes)
      : device_(device), shape_(shape), bytes_(bytes) {}

  /// The chunk, the result, and twice as much for the chunk between passes and the tile states of a look-back.
  static constexpr std::uint64_t kRooms = 4;

  std::uint64_t bytes() const { return bytes_; }

  /// Precondition: the chunk fits.
  Status run(const TransformJob& job, Direction direction) {
    Status done = checked(cudaSetDevice(device_), "cudaSetDevice");
    if (!done || job.in.empty()) return done;
    ChunkBatch batch;
    batch.in = device_in();
    batch.out = device_in() + bytes_;
    batch.bytes = batch.chunk_bytes = batch.stride = job.in.size();
    batch.chunks = 1;
    if (space_bytes(*job.transform, batch, direction, shape_) > 2 * bytes_)
      return Error{ErrorKind::limit, "the work space does not fit the slot"};
    std::memcpy(pinned(), job.in.data(), job.in.size());
    done = enqueue_all(*job.transform, direction, batch);
    const Status idle = wait();  // whatever happened, the memory must be free again
    if (!done || !idle) return done ? idle : done;
    std::memcpy(job.out.data(), pinned(), job.out.size());
    return ok();
  }

 private:
  std::byte* pinned() const { return static_cast<std::byte*>(pinned_.get()); }
  std::byte* device_in() const { return static_cast<std::byte*>(device_memory_.get()); }

  Status enqueue_all(const Column& transform, Direction direction, const ChunkBatch& batch) {
    Status done =
        checked(cudaMemcpyAsync(device_in(), pinned(), batch.bytes, cudaMemcpyHostToDevice, stream_.get()),
                "cudaMemcpyAsync to the device");
    if (!done) return done;
    std::byte* space = device_in() + 2 * bytes_;
    done = checked(enqueue(transform, batch, direction, shape_, space, stream_.get()), "kernel launch");
    if (!done) return done;
    return checked(cudaMemcpyAsync(pinned(), batch.out, batch.bytes, cudaMemcpyDeviceToHost, stream_.get()),
                   "cudaMemcpyAsync from the device");
  }
  /// Waits for an event that blocks the thread. A thread that spins would take a core from others.
  Status wait() {
    const Status marked = checked(cudaEventRecord(done_.get(), stream_.get()), "cudaEventRecord");
    if (marked) return checked(cudaEventSynchronize(done_.get()), "cudaEventSynchronize");
    static_cast<void>(cudaStreamSynchronize(stream_.get()));
    return marked;
  }

  int device_;
  DeviceShape shape_;
  std::uint64_t bytes_;
  Stream stream_;
  Event done_;
  PinnedMemory pinned_;
  DeviceMemory device_memory_;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(DeviceInfo device, std::vector<std::unique_ptr<Slot>> slots)
      : device_(std::move(device)), slot_bytes_(slots.front()->bytes()), free_(std::move(slots)) {}

  std::string_view name() const override { return "cuda"; }
  std::string describe() const override { return description(device_); }
  Status forward(const TransformJob& job) override {
    return fits(job) ? run(job, Direction::difference) : cpu_backend().forward(job);
  }
  Status inverse(const TransformJob& job) override {
    return fits(job) ? run(job, Direction::integrate) : cpu_backend().inverse(job);
  }

 private:
  /// A chunk that no slot holds goes to the CPU.
  bool fits(const TransformJob& job) const { return job.in.size() <= slot_bytes_; }

  /// In a slot that nobody uses; waits for one.
  Status run(const TransformJob& job, Direction direction) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !free_.empty(); });
    auto slot = std::move(free_.back());
    free_.pop_back();
    lock.unlock();
    const Status done = slot->run(job, direction);
    lock.lock();
    free_.push_back(std::move(slot));
    changed_.notify_one();
    return done;
  }

  DeviceInfo device_;
  std::uint64_t slot_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Slot>> free_;
};

/// Bytes of a slot, from the memory that the caller grants and the memory that is free; 0 if that is too
/// little.
std::uint64_t slot_bytes_for(const DeviceOptions& options, const DeviceInfo& device, unsigned slots) {
  const std::uint64_t wanted = options.memory != 0 ? options.memory : device.free_memory / 4;
  const std::uint64_t granted = std::min(wanted, device.free_memory / 2);
  const std::uint64_t each = granted / slots / Slot::kRooms;
  const std::uint64_t bytes = std::min(each, kLargestSlot) / kSlotAlignment * kSlotAlignment;
  return bytes < kSmallestSlot ? 0 : bytes;
}

Result<std::vector<std::unique_ptr<Slot>>> make_slots(const DeviceInfo& device, const DeviceShape& shape,
                                                           std::uint64_t bytes, unsigned count) {
  std::vector<std::unique_ptr<Slot>> slots;
  while (slots.size() < count) {
    auto slot = Slot::make(device.number, shape, bytes);
    if (!slot) return slot.error();
    slots.push_back(std::move(*slot));
  }
  return slots;
}

Result<std::unique_ptr<Backend>> make_backend(const DeviceOptions& options, unsigned slot_count) {
  auto device = use_cuda_device(options.first());
  if (!device) return device.error();
  DeviceShape shape;
  const Status asked = checked(current_shape(shape), "cudaDeviceGetAttribute");
  if (!asked) return asked.error();
  Error last{ErrorKind::limit, "too little free memory on " + device->name};
  for (std::uint64_t bytes = slot_bytes_for(options, *device, slot_count); bytes >= kSmallestSlot;
       bytes /= 2) {
    auto slots = make_slots(*device, shape, aligned(bytes), slot_count);
    if (slots)
      return std::unique_ptr<Backend>(std::make_unique<CudaBackend>(std::move(*device), std::move(*slots)));
    last = std::move(slots).error();
    if (last.kind != ErrorKind::limit) break;
  }
  return last;
}

}  // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend(const DeviceOptions& options, unsigned slot_count) {
  return in_own_thread([&] { return make_backend(options, slot_count); });
}

BackendInfo cuda_backend_info() {
  const auto first = in_own_thread([] { return use_cuda_device(0); });
  if (!first) return {"cuda", false, first.error().message};
  return {"cuda", true, description(*first)};
}

}  // namespace tdz
