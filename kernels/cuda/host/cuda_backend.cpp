// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/cuda_backend.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/host/batcher.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"

namespace tdz {
namespace {

using namespace tdz::cuda;

constexpr std::uint64_t kLargestSlot = 64u << 20;  ///< larger batches gain nothing: copies fill the bus
constexpr std::uint64_t kSmallestSlot = 1u << 20;  ///< in smaller batches the launches take most of the time
constexpr unsigned kBatchesAtOnce = 2;             ///< one is copied while another is computed

/// Everything that one batch needs, allocated once: pinned memory, device memory for input and output, and
/// room for chunks between passes.
class Slot final : public BatchSlot {
 public:
  static Result<std::unique_ptr<BatchSlot>> make(int device, const DeviceShape& shape, std::uint64_t bytes) {
    auto slot = std::make_unique<Slot>(device, shape, bytes);
    Status made = make_stream(slot->stream_);
    if (made) made = make_event(slot->done_);
    if (made) made = allocate_pinned(slot->pinned_, bytes + lengths_bytes(bytes));
    if (made) made = allocate_device(slot->device_memory_, device_bytes(bytes));
    if (!made) return made.error();
    return std::unique_ptr<BatchSlot>(std::move(slot));
  }
  Slot(int device, const DeviceShape& shape, std::uint64_t bytes)
      : device_(device), shape_(shape), bytes_(bytes) {}

  /// The chunks, their lengths, the results; and twice the chunks' room, for chunks between passes and the
  /// tile states of a look-back.
  static constexpr std::uint64_t device_bytes(std::uint64_t bytes) {
    return 4 * bytes + lengths_bytes(bytes);
  }

  std::span<std::byte> memory() override { return {pinned(), bytes_}; }

  Status run(const BatchContents& contents) override {
    Status done = checked(cudaSetDevice(device_), "cudaSetDevice");
    if (!done) return done;
    const ChunkBatch batch = batch_of(contents);
    const std::uint64_t needed = space_bytes(contents.transform, batch, contents.direction, shape_);
    if (needed > 2 * bytes_) return Error{ErrorKind::limit, "the work space does not fit the slot"};
    done = enqueue_all(contents, batch);
    const Status idle = wait();  // whatever happened, the memory must be free again
    return done ? idle : done;
  }

 private:
  /// Rounded up, so that what follows is aligned as chunks are.
  static constexpr std::uint64_t lengths_bytes(std::uint64_t bytes) {
    return aligned(bytes / kChunkAlignment * sizeof(std::uint64_t));
  }

  std::byte* pinned() const { return static_cast<std::byte*>(pinned_.get()); }
  std::byte* device_in() const { return static_cast<std::byte*>(device_memory_.get()); }
  std::byte* device_out() const { return device_in() + bytes_ + lengths_bytes(bytes_); }
  std::byte* space() const { return device_out() + bytes_; }

  /// The chunks' lengths lie after the chunks.
  ChunkBatch batch_of(const BatchContents& contents) const {
    const std::vector<std::uint64_t>& lengths = contents.lengths;
    ChunkBatch batch;
    batch.in = device_in();
    batch.out = device_out();
    batch.bytes = (lengths.size() - 1) * contents.stride + lengths.back();
    batch.chunk_bytes = *std::ranges::max_element(lengths);
    batch.stride = contents.stride;
    batch.chunks = static_cast<std::uint32_t>(lengths.size());
    batch.lengths = reinterpret_cast<const std::uint64_t*>(device_in() + lengths.size() * contents.stride);
    return batch;
  }

  Status enqueue_all(const BatchContents& contents, const ChunkBatch& batch) {
    const std::uint64_t bytes = contents.lengths.size() * contents.stride;
    const std::span<const std::byte> lengths = std::as_bytes(std::span(contents.lengths));
    std::memcpy(pinned() + bytes, lengths.data(), lengths.size());
    Status done = checked(
        cudaMemcpyAsync(device_in(), pinned(), bytes + lengths.size(), cudaMemcpyHostToDevice, stream_.get()),
        "cudaMemcpyAsync to the device");
    if (!done) return done;
    done = checked(enqueue(contents.transform, batch, contents.direction, shape_, space(), stream_.get()),
                   "kernel launch");
    if (!done) return done;
    return checked(cudaMemcpyAsync(pinned(), device_out(), bytes, cudaMemcpyDeviceToHost, stream_.get()),
                   "cudaMemcpyAsync from the device");
  }
  /// Waits for an event that blocks the thread. A thread that spins would take a core from zstd.
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
  CudaBackend(DeviceInfo device, std::vector<std::unique_ptr<BatchSlot>> slots)
      : device_(std::move(device)),
        slot_bytes_(slots.front()->memory().size()),
        batcher_(std::move(slots), kBatchesAtOnce) {}

  std::string_view name() const override { return "cuda"; }
  std::string describe() const override { return description(device_); }
  Status forward(const TransformJob& job) override {
    return fits(job) ? batcher_.run(job, Direction::difference) : cpu_backend().forward(job);
  }
  Status inverse(const TransformJob& job) override {
    return fits(job) ? batcher_.run(job, Direction::integrate) : cpu_backend().inverse(job);
  }

 private:
  /// A chunk that no slot holds goes to the CPU.
  bool fits(const TransformJob& job) const { return stride_of(job.in.size()) <= slot_bytes_; }

  DeviceInfo device_;
  std::uint64_t slot_bytes_;
  Batcher batcher_;
};

/// Bytes of a slot, from the memory that the caller grants and the memory that is free; 0 if that is too
/// little.
std::uint64_t slot_bytes_for(const DeviceOptions& options, const DeviceInfo& device, unsigned slots) {
  const std::uint64_t wanted = options.memory != 0 ? options.memory : device.free_memory / 4;
  const std::uint64_t granted = std::min(wanted, device.free_memory / 2);
  const std::uint64_t each = granted / slots / 5;  // Slot::device_bytes is below five times
  const std::uint64_t bytes = std::min(each, kLargestSlot) / kChunkAlignment * kChunkAlignment;
  return bytes < kSmallestSlot ? 0 : bytes;
}

Result<std::vector<std::unique_ptr<BatchSlot>>> make_slots(const DeviceInfo& device, const DeviceShape& shape,
                                                           std::uint64_t bytes, unsigned count) {
  std::vector<std::unique_ptr<BatchSlot>> slots;
  while (slots.size() < count) {
    auto slot = Slot::make(device.number, shape, bytes);
    if (!slot) return slot.error();
    slots.push_back(std::move(*slot));
  }
  return slots;
}

Result<std::unique_ptr<Backend>> make_backend(const DeviceOptions& options, unsigned slot_count) {
  auto device = use_cuda_device(options.number);
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
