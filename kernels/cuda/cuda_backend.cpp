// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_backend.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "kernels/cuda/batch_plan.hpp"
#include "kernels/cuda/cuda_handles.hpp"
#include "kernels/cuda/dispatch.hpp"

namespace tdz {
namespace {

using namespace tdz::cuda;

constexpr std::uint64_t kLargestSlot = 64u << 20;  ///< more chunks a batch no longer pay: copies fill the bus
constexpr std::uint64_t kSmallestSlot = 1u << 20;  ///< below, launches dominate
constexpr int kOldestMajor = 7, kOldestMinor = 5;  ///< what this build has code for

/// Everything one batch needs, allocated once: pinned in and out, device in and out, room between steps.
class Slot {
 public:
  static Result<Slot> make(std::uint64_t bytes) {
    Slot slot;
    slot.bytes_ = bytes;
    auto stream = make_stream();
    if (!stream) return stream.error();
    slot.stream_ = std::move(*stream);
    auto pinned = allocate_pinned(pinned_bytes(bytes));
    if (!pinned) return pinned.error();
    slot.pinned_ = std::move(*pinned);
    auto device = allocate_device(device_bytes(bytes));
    if (!device) return device.error();
    slot.device_ = std::move(*device);
    return slot;
  }
  /// In, out, and space for a third copy and the board of a look-back, which is smaller than the data it
  /// orders.
  static constexpr std::uint64_t device_bytes(std::uint64_t bytes) {
    return 4 * bytes + lengths_bytes(bytes);
  }

  std::uint64_t bytes() const { return bytes_; }

  Status run(std::span<const TransformJob> jobs, const BatchPlan& plan, Direction direction,
             const DeviceShape& shape) {
    const ChunkBatch batch = batch_of(jobs, plan);
    const Transform& transform = *jobs[plan.first].transform;
    if (space_bytes(transform, batch, direction, shape) > 2 * bytes_) {
      return Error{ErrorKind::limit, "the board of a look-back does not fit its slot"};
    }
    gather(jobs, plan);
    Status done = checked(cudaMemcpyAsync(device(), pinned(), used_, cudaMemcpyHostToDevice, stream_.get()),
                          "cudaMemcpyAsync to the device");
    if (done) {
      done = checked(enqueue(transform, batch, direction, shape, space(), stream_.get()), "kernel launch");
    }
    if (done) {
      done =
          checked(cudaMemcpyAsync(pinned(), batch.out, plan.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
                  "cudaMemcpyAsync from the device");
    }
    const Status idle = checked(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize");
    if (done && idle) scatter(jobs, plan);
    return done ? idle : done;
  }

 private:
  static constexpr std::uint64_t lengths_bytes(std::uint64_t bytes) { return bytes / kChunkAlignment * 8; }
  static constexpr std::uint64_t pinned_bytes(std::uint64_t bytes) { return bytes + lengths_bytes(bytes); }

  std::byte* pinned() const { return static_cast<std::byte*>(pinned_.get()); }
  std::byte* device() const { return static_cast<std::byte*>(device_.get()); }
  std::byte* space() const { return device() + pinned_bytes(bytes_) + bytes_; }

  ChunkBatch batch_of(std::span<const TransformJob> jobs, const BatchPlan& plan) const {
    const std::uint64_t end = (plan.count - 1) * plan.stride + jobs[plan.first + plan.count - 1].in.size();
    return {device(),
            device() + pinned_bytes(bytes_),
            end,
            plan.longest,
            plan.stride,
            static_cast<std::uint32_t>(plan.count),
            reinterpret_cast<const std::uint64_t*>(device() + plan.bytes())};
  }
  /// Chunks one stride apart, then their lengths.
  void gather(std::span<const TransformJob> jobs, const BatchPlan& plan) {
    for (std::size_t i = 0; i < plan.count; ++i) {
      const std::span<const std::byte> in = jobs[plan.first + i].in;
      const std::uint64_t length = in.size();
      if (!in.empty()) std::memcpy(pinned() + i * plan.stride, in.data(), in.size());
      std::memcpy(pinned() + plan.bytes() + i * sizeof length, &length, sizeof length);
    }
    used_ = plan.bytes() + plan.count * sizeof(std::uint64_t);
  }
  void scatter(std::span<const TransformJob> jobs, const BatchPlan& plan) const {
    for (std::size_t i = 0; i < plan.count; ++i) {
      const std::span<std::byte> out = jobs[plan.first + i].out;
      if (!out.empty()) std::memcpy(out.data(), pinned() + i * plan.stride, out.size());
    }
  }

  std::uint64_t bytes_ = 0, used_ = 0;
  Stream stream_;
  PinnedMemory pinned_;
  DeviceMemory device_;
};

/// Slots that any number of threads share; a thread waits for a free one.
class SlotPool {
 public:
  void add(Slot slot) { free_.push_back(std::move(slot)); }
  std::size_t size() const { return free_.size(); }

  Slot take() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    Slot slot = std::move(free_.back());
    free_.pop_back();
    return slot;
  }
  void give_back(Slot slot) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(slot));
    }
    returned_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Slot> free_;
};

class CudaBackend final : public Backend {
 public:
  CudaBackend(CudaDevice device, const DeviceShape& shape, std::uint64_t slot_bytes)
      : device_(std::move(device)), shape_(shape), slot_bytes_(slot_bytes) {}
  Status add_slots(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      auto slot = Slot::make(slot_bytes_);
      if (!slot) return slot.error();
      slots_.add(std::move(*slot));
    }
    return ok();
  }

  std::string_view name() const override { return "cuda"; }
  std::string describe() const override {
    return device_.name + ", compute capability " + std::to_string(device_.major) + "." +
           std::to_string(device_.minor);
  }
  Status forward(std::span<const TransformJob> jobs) override { return run(jobs, Direction::difference); }
  Status inverse(std::span<const TransformJob> jobs) override { return run(jobs, Direction::integrate); }

 private:
  Status run(std::span<const TransformJob> jobs, Direction direction) {
    const Status chosen = checked(cudaSetDevice(device_.number), "cudaSetDevice");
    if (!chosen) return chosen;
    for (std::size_t first = 0; first < jobs.size();) {
      const BatchPlan plan = next_batch(jobs, first, slot_bytes_);
      const Status done =
          plan.count == 0 ? on_cpu(jobs.subspan(first, 1), direction) : on_device(jobs, plan, direction);
      if (!done) return done;
      first += std::max<std::size_t>(plan.count, 1);
    }
    return ok();
  }
  Status on_device(std::span<const TransformJob> jobs, const BatchPlan& plan, Direction direction) {
    Slot slot = slots_.take();
    const Status done = slot.run(jobs, plan, direction, shape_);
    slots_.give_back(std::move(slot));
    return done;
  }
  /// A chunk that no slot holds.
  static Status on_cpu(std::span<const TransformJob> jobs, Direction direction) {
    return direction == Direction::difference ? cpu_backend().forward(jobs) : cpu_backend().inverse(jobs);
  }

  CudaDevice device_;
  DeviceShape shape_;
  std::uint64_t slot_bytes_;
  SlotPool slots_;
};

Result<CudaDevice> device_at(int number) {
  cudaDeviceProp properties{};
  Status asked = checked(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  if (!asked) return asked.error();
  std::size_t free = 0, total = 0;
  asked = checked(cudaSetDevice(number), "cudaSetDevice");
  if (asked) asked = checked(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (!asked) return asked.error();
  return CudaDevice{number, properties.name, properties.major, properties.minor, total, free};
}

bool is_supported(const CudaDevice& device) {
  return device.major > kOldestMajor || (device.major == kOldestMajor && device.minor >= kOldestMinor);
}

/// Bytes of a slot, from what the caller grants and what is free; 0 if that is too little.
std::uint64_t slot_bytes_for(const CudaOptions& options, const CudaDevice& device) {
  const std::uint64_t wanted = options.memory != 0 ? options.memory : device.free_memory / 4;
  const std::uint64_t granted = std::min(wanted, device.free_memory / 2);
  const std::uint64_t each =
      granted / std::max(1u, options.slots) / 5;  // Slot::device_bytes is below five times
  const std::uint64_t bytes = std::min(each, kLargestSlot) / kChunkAlignment * kChunkAlignment;
  return bytes < kSmallestSlot ? 0 : bytes;
}

}  // namespace

Result<std::vector<CudaDevice>> cuda_devices() {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted == cudaErrorInsufficientDriver)
    return Error{ErrorKind::unsupported, "no CUDA driver, or too old a one"};
  if (counted == cudaErrorNoDevice || (counted == cudaSuccess && count == 0)) {
    return Error{ErrorKind::unsupported, "no CUDA device"};
  }
  const Status usable = checked(counted, "cudaGetDeviceCount");
  if (!usable) return Error{ErrorKind::unsupported, usable.error().message};
  std::vector<CudaDevice> devices;
  for (int number = 0; number < count; ++number) {
    auto device = device_at(number);
    if (!device) return device.error();
    devices.push_back(std::move(*device));
  }
  return devices;
}

Result<std::unique_ptr<Backend>> make_cuda_backend(const CudaOptions& options) {
  const auto devices = cuda_devices();
  if (!devices) return devices.error();
  if (options.device < 0 || static_cast<std::size_t>(options.device) >= devices->size()) {
    return Error{ErrorKind::usage, "there is no CUDA device " + std::to_string(options.device)};
  }
  const CudaDevice& device = (*devices)[static_cast<std::size_t>(options.device)];
  if (!is_supported(device))
    return Error{ErrorKind::unsupported, device.name + " is older than compute capability 7.5"};
  DeviceShape shape;
  Status asked = checked(cudaSetDevice(device.number), "cudaSetDevice");
  if (asked) asked = checked(current_shape(shape), "cudaDeviceGetAttribute");
  if (!asked) return asked.error();
  Error last{ErrorKind::limit, "too little free memory on " + device.name};
  for (std::uint64_t bytes = slot_bytes_for(options, device); bytes >= kSmallestSlot; bytes /= 2) {
    auto backend = std::make_unique<CudaBackend>(device, shape, bytes / kChunkAlignment * kChunkAlignment);
    const Status filled = backend->add_slots(std::max(1u, options.slots));
    if (filled) return std::unique_ptr<Backend>(std::move(backend));
    last = filled.error();
    if (last.kind != ErrorKind::limit) break;
  }
  return last;
}

BackendState cuda_backend_state() {
  const auto devices = cuda_devices();
  if (!devices) return {"cuda", false, devices.error().message};
  const CudaDevice& first = devices->front();
  if (!is_supported(first)) return {"cuda", false, first.name + " is older than compute capability 7.5"};
  return {"cuda", true, first.name};
}

}  // namespace tdz
