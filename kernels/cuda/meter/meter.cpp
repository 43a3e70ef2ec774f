// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/meter/meter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/baselines/baseline.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "kernels/cuda/host/cuda_handles.hpp"
#include "kernels/cuda/host/dispatch.hpp"
#include "kernels/cuda/meter/probes.hpp"

namespace tdz::cuda {
namespace {

constexpr std::string_view kOwn = "tdz";
/// The CPU checks so many bytes at both ends of a long chunk.
constexpr std::uint64_t kChecked = std::uint64_t{1} << 20;

#ifdef TDZ_WITH_BASELINES
constexpr std::array kBaselines = {&kCub,        &kLookBackPerOrder, &kSam,      &kChained,
                                   &kKoggeStone, &kBlelloch,         &kBrentKung};
#else
constexpr std::array<const Baseline*, 0> kBaselines;
#endif

const Baseline* baseline_named(std::string_view name) {
  const auto found =
      std::ranges::find(kBaselines, name, [](const Baseline* each) { return std::string_view(each->name); });
  return found == kBaselines.end() ? nullptr : *found;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

double median_of(std::vector<double> list) {
  const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
  std::nth_element(list.begin(), middle, list.end());
  return *middle;  // the number is odd: constants() makes sure
}

/// Two events with times, made once.
class Stopwatch {
 public:
  Status open() {
    for (Event* event : {&begin_, &end_}) {
      auto done = checked(cudaEventCreateWithFlags(event->out(), cudaEventBlockingSync), "cudaEventCreate");
      if (!done) return done;
    }
    return ok();
  }

  /// Seconds that the stream needs for what `work` enqueues.
  Result<double> time(cudaStream_t stream, const std::function<Status()>& work) {
    if (auto done = checked(cudaEventRecord(begin_.get(), stream), "cudaEventRecord"); !done)
      return done.error();
    if (auto done = work(); !done) return done.error();
    if (auto done = checked(cudaEventRecord(end_.get(), stream), "cudaEventRecord"); !done)
      return done.error();
    if (auto done = checked(cudaEventSynchronize(end_.get()), "cudaEventSynchronize"); !done)
      return done.error();
    float milliseconds = 0;
    auto done =
        checked(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    if (!done) return done.error();
    return milliseconds / 1e3;
  }

  Result<std::vector<double>> times(cudaStream_t stream, const Repeats& repeats,
                                    const std::function<Status()>& work) {
    std::vector<double> list;
    if (auto warm = time(stream, work); !warm) return warm.error();
    for (double spent = 0;
         list.size() < repeats.least || (spent < repeats.seconds && list.size() < repeats.most);) {
      auto seconds = time(stream, work);
      if (!seconds) return seconds.error();
      list.push_back(*seconds);
      spent += *seconds;
    }
    return list;
  }

 private:
  Event begin_, end_;
};

/// Memory that grows if it is too short, and never shrinks.
template <class Memory, Status (*Allocate)(Memory&, std::size_t)>
class Growing {
 public:
  Result<std::byte*> get(std::size_t bytes) {
    if (bytes > held_) {
      memory_ = Memory();
      held_ = 0;
      if (auto done = Allocate(memory_, bytes); !done) return done.error();
      held_ = bytes;
    }
    return static_cast<std::byte*>(memory_.get());
  }

 private:
  Memory memory_;
  std::size_t held_ = 0;
};

class DeviceMeter final : public Meter {
 public:
  Status open(int number, std::uint64_t bytes);

  MeterDevice device() const override { return device_; }
  Result<ScanTimes> time(const ScanToTime& what, const Repeats& repeats) override;
  Result<CopyTimes> copies(std::uint64_t bytes, const Repeats& repeats) override;
  Result<DeviceConstants> constants() override;
  Status run(const Column& column, bool integrate, std::span<const std::byte> in,
             std::span<std::byte> out) override;

 private:
  /// The residuals of the values, made once for all scans of the same steps.
  struct Prepared {
    Column column;
    std::uint64_t bytes = 0, chunk_bytes = 0;
    friend bool operator==(const Prepared&, const Prepared&) = default;
  };

  std::byte* values() const { return static_cast<std::byte*>(values_.get()); }
  std::byte* residuals() const { return static_cast<std::byte*>(residuals_.get()); }
  std::byte* out() const { return static_cast<std::byte*>(out_.get()); }

  Status describe(int number);
  Status prepare(const ScanToTime& what);
  Result<std::string> check_residuals(const ScanToTime& what);
  Result<bool> agrees_with_cpu(const Column& column, std::uint64_t begin, std::uint64_t bytes,
                               std::uint64_t ignored);
  Status apply(const ScanToTime& what, const std::byte* in, std::byte* to, Direction direction);
  Status scan(const ScanToTime& what);
  Result<std::string> check(const ScanToTime& what);
  Result<std::optional<std::uint64_t>> first_difference(const std::byte* a, const std::byte* b,
                                                        std::uint64_t bytes);
  Status poison(std::uint64_t bytes);
  Status copy_to(std::byte* device, const std::byte* host, std::uint64_t bytes);
  Status scan_with_copies(const ScanToTime& what, std::byte* host);
  Status time_with_copies(const ScanToTime& what, ScanTimes& times);
  Result<ScanTimes> timed(const ScanToTime& what, const Repeats& repeats);
  Status wait() { return checked(cudaStreamSynchronize(stream_.get()), "cudaStreamSynchronize"); }

  MeterDevice device_;
  DeviceShape shape_;
  std::uint64_t capacity_ = 0;
  Stream stream_;
  Stopwatch watch_;
  DeviceMemory values_, residuals_, out_, verdict_;
  Growing<DeviceMemory, allocate_device> space_;
  Growing<PinnedMemory, allocate_pinned> host_;
  std::optional<Prepared> prepared_;
  std::string residuals_fault_;
};

Status DeviceMeter::open(int number, std::uint64_t bytes) {
  if (auto done = checked(cudaSetDevice(number), "cudaSetDevice"); !done) return done;
  if (auto done = describe(number); !done) return done;
  capacity_ = bytes;
  if (auto done = make_stream(stream_); !done) return done;
  if (auto done = watch_.open(); !done) return done;
  for (DeviceMemory* memory : {&values_, &residuals_, &out_}) {
    if (auto done = allocate_device(*memory, rounded_up(bytes)); !done) return done;
  }
  if (auto done = allocate_device(verdict_, 2 * sizeof(std::uint64_t)); !done) return done;
  auto done = checked(probe_fill(values(), rounded_up(bytes), stream_.get()), "filling the device");
  return done ? wait() : done;
}

Status DeviceMeter::describe(int number) {
  cudaDeviceProp properties{};
  if (auto done = checked(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties"); !done)
    return done;
  int driver = 0, runtime = 0;
  if (auto done = checked(cudaDriverGetVersion(&driver), "cudaDriverGetVersion"); !done) return done;
  if (auto done = checked(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion"); !done) return done;
  device_ = {properties.name, version_text(driver), version_text(runtime)};
  return checked(current_shape(shape_), "cudaDeviceGetAttribute");
}

/// Enqueues our own kernels, in either direction.
Status DeviceMeter::apply(const ScanToTime& what, const std::byte* in, std::byte* to, Direction direction) {
  const ChunkBatch batch = cut({in, to, what.bytes}, what.chunk_bytes);
  auto space = space_.get(space_bytes(what.column, batch, direction, shape_));
  if (!space) return space.error();
  return checked(enqueue(what.column, batch, direction, shape_, *space, stream_.get()), "kernel launch");
}

Status DeviceMeter::prepare(const ScanToTime& what) {
  const Prepared wanted{what.column, what.bytes, what.chunk_bytes};
  if (prepared_ == wanted) return ok();
  prepared_.reset();
  if (auto done = apply(what, values(), residuals(), Direction::difference); !done) return done;
  auto fault = check_residuals(what);
  if (!fault) return fault.error();
  residuals_fault_ = *std::move(fault);
  prepared_ = wanted;
  return ok();
}

/// Whether the CPU computes the same residuals from the values of these bytes. If they start within a chunk,
/// the first `ignored` bytes are not compared: the CPU does not see the numbers before them.
Result<bool> DeviceMeter::agrees_with_cpu(const Column& column, std::uint64_t begin, std::uint64_t bytes,
                                          std::uint64_t ignored) {
  std::vector<std::byte> original(bytes), expected(bytes), found(bytes),
      scratch(cpu::scratch_bytes(passes(column), bytes));
  for (const auto& [to, from] : {std::pair{&original, values()}, std::pair{&found, residuals()}}) {
    auto done =
        checked(cudaMemcpyAsync(to->data(), from + begin, bytes, cudaMemcpyDeviceToHost, stream_.get()),
                "cudaMemcpyAsync");
    if (!done) return done.error();
  }
  if (auto done = wait(); !done) return done.error();
  cpu::forward({column.width, column.steps, original, expected, scratch});
  return std::equal(expected.begin() + static_cast<std::ptrdiff_t>(ignored), expected.end(),
                    found.begin() + static_cast<std::ptrdiff_t>(ignored));
}

/// Compares the first and the last chunk with the CPU, or the two ends of a single long chunk.
Result<std::string> DeviceMeter::check_residuals(const ScanToTime& what) {
  const std::uint64_t last_chunk = (what.bytes - 1) / what.chunk_bytes * what.chunk_bytes;
  std::uint64_t first = std::min(what.chunk_bytes, what.bytes), tail = last_chunk, ignored = 0;
  if (first > 16 * kChecked) {  // such a chunk is interleaved: the check may begin anywhere
    const auto& step = std::get<DifferenceStep>(what.column.steps.front());
    const std::uint64_t row = std::uint64_t{what.column.width} * step.tuple;
    ignored = row * step.order;
    first = kChecked;
    tail = what.bytes > kChecked + ignored ? (what.bytes - kChecked - ignored) / row * row : 0;
    if (tail == 0) ignored = 0;
  }
  const auto head_agrees = agrees_with_cpu(what.column, 0, first, 0);
  if (!head_agrees) return head_agrees.error();
  const auto tail_agrees = agrees_with_cpu(what.column, tail, what.bytes - tail, ignored);
  if (!tail_agrees) return tail_agrees.error();
  if (*head_agrees && *tail_agrees) return std::string();
  return std::string("the residuals differ from those of the CPU");
}

Status DeviceMeter::scan(const ScanToTime& what) {
  if (!what.integrate) return apply(what, values(), out(), Direction::difference);
  const Baseline* baseline = baseline_named(what.scan);
  if (baseline == nullptr) return apply(what, residuals(), out(), Direction::integrate);
  const auto& step = std::get<DifferenceStep>(what.column.steps.front());
  const Pass steps{what.column.width, step.order, false, Layout::interleaved, step.tuple};
  auto space = space_.get(baseline->space_bytes(steps, what.bytes));
  if (!space) return space.error();
  return checked(baseline->run(steps, {residuals(), out(), what.bytes}, *space, stream_.get()),
                 "kernel launch");
}

Result<std::optional<std::uint64_t>> DeviceMeter::first_difference(const std::byte* a, const std::byte* b,
                                                                   std::uint64_t bytes) {
  auto* first = static_cast<unsigned long long*>(verdict_.get());
  unsigned long long place = 0;
  const auto stream = stream_.get();
  auto done = checked(cudaMemsetAsync(first, 0xFF, sizeof *first, stream), "cudaMemsetAsync");
  if (done) done = checked(probe_compare(a, b, bytes, first, stream), "comparing on the device");
  if (done)
    done = checked(cudaMemcpyAsync(&place, first, sizeof place, cudaMemcpyDeviceToHost, stream),
                   "cudaMemcpyAsync");
  if (done) done = wait();
  if (!done) return done.error();
  return place == ~0ull ? std::nullopt : std::optional<std::uint64_t>(place);
}

/// Bytes that no kernel writes must not look right.
Status DeviceMeter::poison(std::uint64_t bytes) {
  return checked(cudaMemsetAsync(out(), 0xA5, bytes, stream_.get()), "cudaMemsetAsync");
}

Result<std::string> DeviceMeter::check(const ScanToTime& what) {
  if (!residuals_fault_.empty()) return residuals_fault_;
  // Baselines handle whole rows only.
  const std::uint64_t row = std::uint64_t{what.column.width} * tuple_of(what.column.steps.front());
  const std::uint64_t bytes = what.scan == kOwn ? what.bytes : what.bytes / row * row;
  auto place = first_difference(out(), what.integrate ? values() : residuals(), bytes);
  if (place && !*place && !what.integrate) {  // the same kernel made both: check them against the values
    if (auto done = apply(what, residuals(), out(), Direction::integrate); !done) return done.error();
    place = first_difference(out(), values(), bytes);
  }
  if (!place) return place.error();
  if (!*place) return std::string();
  return "the first wrong byte is " + std::to_string(**place);
}

/// From the first half of the host's memory to its second half.
Status DeviceMeter::scan_with_copies(const ScanToTime& what, std::byte* host) {
  const auto stream = stream_.get();
  auto done = copy_to(residuals(), host, what.bytes);
  if (done) done = scan(what);
  if (!done) return done;
  return checked(cudaMemcpyAsync(host + what.bytes, out(), what.bytes, cudaMemcpyDeviceToHost, stream),
                 "cudaMemcpyAsync");
}

Status DeviceMeter::copy_to(std::byte* device, const std::byte* host, std::uint64_t bytes) {
  return checked(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()),
                 "cudaMemcpyAsync");
}

/// Times the scan of residuals that lie on the host, and checks the values that come back.
Status DeviceMeter::time_with_copies(const ScanToTime& what, ScanTimes& times) {
  auto host = host_.get(2 * what.bytes);
  if (!host) return host.error();
  const auto stream = stream_.get();
  auto done = checked(cudaMemcpyAsync(*host, residuals(), what.bytes, cudaMemcpyDeviceToHost, stream),
                      "cudaMemcpyAsync");
  if (done) done = poison(what.bytes);
  if (!done) return done;
  auto copied = watch_.times(stream, {0, 3, 3}, [&] { return scan_with_copies(what, *host); });
  if (!copied) return copied.error();
  times.with_copies = *std::move(copied);
  if (done = copy_to(out(), *host + what.bytes, what.bytes); !done) return done;
  auto fault = check(what);
  if (!fault) return fault.error();
  if (times.fault.empty()) times.fault = *std::move(fault);
  return ok();
}

Result<ScanTimes> DeviceMeter::timed(const ScanToTime& what, const Repeats& repeats) {
  ScanTimes times;
  const auto stream = stream_.get();
  auto copy = watch_.times(stream, repeats, [&] {
    return checked(cudaMemcpyAsync(out(), residuals(), what.bytes, cudaMemcpyDeviceToDevice, stream),
                   "cudaMemcpyAsync");
  });
  if (!copy) return copy.error();
  times.copy = *std::move(copy);
  if (auto done = poison(what.bytes); !done) return done.error();
  auto kernel = watch_.times(stream, repeats, [&] { return scan(what); });
  if (!kernel) return kernel.error();
  times.kernel = *std::move(kernel);
  return times;
}

Result<ScanTimes> DeviceMeter::time(const ScanToTime& what, const Repeats& repeats) {
  if (what.bytes == 0 || what.bytes > capacity_ || !can_scan(what)) {
    return usage(std::string(what.scan) + " cannot do these steps");
  }
  if (auto done = prepare(what); !done) return done.error();
  if (auto done = poison(what.bytes); !done) return done.error();
  if (auto done = scan(what); !done) return done.error();
  auto fault = check(what);
  if (!fault) return fault.error();
  if (!fault->empty()) return ScanTimes{{}, {}, {}, *fault};
  auto times = timed(what, repeats);
  if (!times) return times.error();
  fault = check(what);  // the timed runs must be right too
  if (!fault) return fault.error();
  times->fault = *std::move(fault);
  if (!what.with_copies || !times->fault.empty()) return times;
  if (auto done = time_with_copies(what, *times); !done) return done.error();
  return times;
}

Result<CopyTimes> DeviceMeter::copies(std::uint64_t bytes, const Repeats& repeats) {
  auto host = host_.get(bytes);
  if (!host) return host.error();
  auto device = space_.get(bytes);
  if (!device) return device.error();
  const auto stream = stream_.get();
  auto down = watch_.times(stream, repeats, [&] {
    return checked(cudaMemcpyAsync(*host, *device, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  });
  if (!down) return down.error();
  auto up = watch_.times(stream, repeats, [&] { return copy_to(*device, *host, bytes); });
  if (!up) return up.error();
  return CopyTimes{*std::move(up), *std::move(down)};
}

Result<DeviceConstants> DeviceMeter::constants() {
  constexpr unsigned kSteps = 20'000, kBlocksEach = 64;
  constexpr Repeats kNine{0, 9, 9};
  const auto stream = stream_.get();
  auto copy = watch_.times(stream, kNine, [&] {
    return checked(cudaMemcpyAsync(out(), values(), capacity_, cudaMemcpyDeviceToDevice, stream),
                   "cudaMemcpyAsync");
  });
  if (!copy) return copy.error();
  auto* place = static_cast<unsigned long long*>(verdict_.get());
  auto begun = checked(cudaMemsetAsync(place, 0, sizeof *place, stream), "cudaMemsetAsync");
  if (!begun) return begun.error();
  auto chase = watch_.times(stream, kNine, [&] {
    return checked(probe_chase(values(), capacity_, kSteps, place, stream), "kernel launch");
  });
  if (!chase) return chase.error();
  unsigned counts[2] = {};
  auto done = checked(cudaMemsetAsync(verdict_.get(), 0, sizeof counts, stream), "cudaMemsetAsync");
  if (done) {
    done = checked(
        probe_residents(static_cast<unsigned*>(verdict_.get()), kBlocksEach * shape_.multiprocessors, stream),
        "kernel launch");
  }
  if (done) {
    done = checked(cudaMemcpyAsync(counts, verdict_.get(), sizeof counts, cudaMemcpyDeviceToHost, stream),
                   "cudaMemcpyAsync");
  }
  if (done) done = wait();
  if (!done) return done.error();
  if (counts[1] == 0) return Error{ErrorKind::io, "no block of the device counted itself"};
  return DeviceConstants{2 * static_cast<double>(capacity_) / median_of(*std::move(copy)),
                         median_of(*std::move(chase)) / kSteps, static_cast<double>(counts[1])};
}

Status DeviceMeter::run(const Column& column, bool integrate, std::span<const std::byte> in,
                        std::span<std::byte> to) {
  const std::size_t bytes = in.size();
  if (bytes > capacity_) return usage("the chunk is longer than the meter's memory");
  if (bytes == 0) return ok();
  prepared_.reset();  // the residuals of time() are overwritten
  auto host = host_.get(bytes);
  if (!host) return host.error();
  std::ranges::copy(in, *host);
  const ScanToTime what{kOwn, integrate, column, bytes, rounded_up(bytes)};
  auto done = copy_to(residuals(), *host, bytes);
  if (done) done = apply(what, residuals(), out(), integrate ? Direction::integrate : Direction::difference);
  if (done)
    done = checked(cudaMemcpyAsync(*host, out(), bytes, cudaMemcpyDeviceToHost, stream_.get()),
                   "cudaMemcpyAsync");
  const Status idle = wait();  // whatever happened, the memory must be free again
  if (!done || !idle) return done ? idle : done;
  std::copy_n(*host, bytes, to.begin());
  return ok();
}

Status check_memory(int number, std::uint64_t needed, std::uint64_t allowed) {
  auto found = cuda_devices();
  if (!found) return found.error();
  const auto device = std::ranges::find(*found, number, &DeviceInfo::number);
  if (device == found->end() || !device->supported) {
    return unsupported("there is no usable device " + std::to_string(number));
  }
  const std::uint64_t most = allowed != 0 ? std::min(allowed, device->free_memory) : device->free_memory;
  if (needed <= most) return ok();
  return Error{ErrorKind::limit, "the kernels' buffers need " + std::to_string(needed >> 20) +
                                     " MiB of device memory, " + std::to_string(most >> 20) +
                                     " MiB may be used; ask for a smaller size"};
}

}  // namespace

Result<std::unique_ptr<Meter>> make_meter(int device, std::uint64_t bytes, std::uint64_t memory) {
  // Constants of the memory, not of a cache, need a long buffer; a person may allow less memory.
  constexpr std::uint64_t kLongerThanCaches = std::uint64_t{256} << 20;
  if (memory == 0) bytes = std::max(bytes, kLongerThanCaches);
  // Three buffers, and a part of one more for the space between runs.
  if (auto done = check_memory(device, 3 * rounded_up(bytes) + bytes / 4, memory); !done) return done.error();
  auto meter = std::make_unique<DeviceMeter>();
  if (auto done = meter->open(device, bytes); !done) return done.error();
  return std::unique_ptr<Meter>(std::move(meter));
}

std::vector<std::string_view> scan_names() {
  std::vector<std::string_view> names = {kOwn};
  for (const Baseline* baseline : kBaselines) names.push_back(baseline->name);
  return names;
}

bool can_scan(const ScanToTime& what) {
  if (what.scan == kOwn) return true;
  const auto& steps = what.column.steps;
  const bool one_difference = steps.size() == 1 && std::holds_alternative<DifferenceStep>(steps[0]);
  return baseline_named(what.scan) != nullptr && what.integrate && one_difference &&
         tuple_of(steps[0]) <= 8 && what.chunk_bytes >= what.bytes;
}

}  // namespace tdz::cuda
