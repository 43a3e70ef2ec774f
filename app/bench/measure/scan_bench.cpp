// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/scan_bench.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "app/bench/measure/made_numbers.hpp"
#include "app/bench/measure/packed_chunks.hpp"
#include "app/bench/measure/timing.hpp"
#include "kernels/buffer.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/meter/meter.hpp"
#include "kernels/oracle.hpp"

namespace tdz::app::bench {

// ---- The limit

Limit memory_machine_limit(const MachineModel& model, std::uint64_t bytes, unsigned word) {
  const double moved = 2 * static_cast<double>(bytes);
  const double numbers = std::max(static_cast<double>(bytes) / word, 1.0);
  return {moved / model.bytes_per_second, moved / model.access_bytes * model.latency / model.threads,
          model.latency * std::log2(numbers)};
}

Limit copy_limit(const Timing& copy) {
  return {copy.median, 0, 0};
}

// ---- The CPU

namespace {

class CpuScanBench final : public ScanBench {
 public:
  explicit CpuScanBench(std::size_t bytes)
      : values_(made_numbers(Kind::noisy, {'u', 8, 1}, bytes)),
        residuals_(values_.size()),
        out_(values_.size()) {}

  Result<MachineModel> model(const std::stop_token& stop) override {
    Pacer pacer(0.5, 1);
    auto copy = timed_copy(values_.size(), pacer, stop);
    if (!copy) return copy.error();
    return MachineModel{.backend = "cpu",
                        .bytes_per_second = 2 * copy->timing.bytes_per_second(values_.size())};
  }

  Result<ScanResult> measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) override;

 private:
  Result<Timed> timed_copy(std::size_t bytes, Pacer& pacer, const std::stop_token& stop);
  Status run(const ScanWork& work, bool integrate, const PageBytes& in, PageBytes& out);
  std::string first_wrong_byte(const PageBytes& found, std::size_t bytes) const;
  std::string check(const ScanWork& work);
  Result<Timed> timed_kernel(const ScanWork& work, Pacer& pacer, const std::stop_token& stop);

  PageBytes values_, residuals_, out_;
  Buffer scratch_;
  std::optional<PackedChunks> groups_;  ///< in place of residuals, if the work is to pack
};

/// The numbers lie in memory, so the length fits.
std::size_t length_of(const ScanWork& work) {
  return static_cast<std::size_t>(work.bytes);
}

Result<Timed> CpuScanBench::timed_copy(std::size_t bytes, Pacer& pacer, const std::stop_token& stop) {
  const auto copy = [&] {
    std::memcpy(out_.data(), values_.data(), bytes);
    return ok();
  };
  return timed(
      pacer.next(), stop, copy, [&] { return first_wrong_byte(out_, bytes); }, [&] { out_.poison(); });
}

Status CpuScanBench::run(const ScanWork& work, bool integrate, const PageBytes& in, PageBytes& out) {
  if (groups_) return integrate ? groups_->unpack(out.span()) : groups_->pack(in.span());
  const Column column = formats::column_of(work.coding);
  const std::size_t all = length_of(work);
  const auto chunk = static_cast<std::size_t>(std::min(work.chunk_bytes, work.bytes));
  for (std::size_t begin = 0; begin < all; begin += chunk) {
    const std::size_t bytes = std::min(chunk, all - begin);
    const cpu::StepListJob job{column.width, column.steps, in.span().subspan(begin, bytes),
                               out.span().subspan(begin, bytes),
                               scratch_.take(cpu::scratch_bytes(passes(column), bytes))};
    integrate ? cpu::inverse(job) : cpu::forward(job);
  }
  return ok();
}

/// Says where the bytes differ from the values; empty if nowhere.
std::string CpuScanBench::first_wrong_byte(const PageBytes& found, std::size_t bytes) const {
  const auto place = first_difference(values_.span().first(bytes), found.span().first(bytes));
  return place ? fmt::format("the first wrong byte is {}", *place) : std::string();
}

/// Integration must give the values. Differences must give them after integration.
std::string CpuScanBench::check(const ScanWork& work) {
  if (work.direction == Direction::integrate) return first_wrong_byte(out_, length_of(work));
  if (auto done = run(work, true, out_, residuals_); !done) return done.error().message;
  return first_wrong_byte(residuals_, length_of(work));
}

/// Compares the kernels with the oracle on a few numbers. Empty if both agree. The oracle has no packed
/// groups.
std::string oracle_agrees(const Coding& coding, const PageBytes& values) {
  if (coding.packed) return {};
  const Column column = formats::column_of(coding);
  const auto some = values.span().first(std::min<std::size_t>(values.size(), 16u << 10));
  const auto* first = reinterpret_cast<const std::uint8_t*>(some.data());
  const auto expected = oracle::forward(column, {first, first + some.size()});
  std::vector<std::byte> found(some.size()), scratch(cpu::scratch_bytes(passes(column), some.size()));
  cpu::forward({column.width, column.steps, some, found, scratch});
  const bool same = std::ranges::equal(expected, found, {}, {},
                                       [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
  return same ? std::string() : "the residuals differ from the oracle's";
}

Result<Timed> CpuScanBench::timed_kernel(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) {
  const bool integrate = work.direction == Direction::integrate;
  groups_.reset();
  if (work.coding.packed)
    groups_.emplace(work.coding, length_of(work), static_cast<std::size_t>(work.chunk_bytes));
  if (auto done = run(work, false, values_, residuals_); !done) return done.error();
  if (auto fault = oracle_agrees(work.coding, values_); !fault.empty()) return Timed{{}, std::move(fault)};
  auto kernel = timed(
      pacer.next(), stop, [&] { return run(work, integrate, integrate ? residuals_ : values_, out_); },
      [&] { return check(work); },
      [&] {
        out_.poison();
        if (groups_ && !integrate) groups_->forget();
      });
  if (!kernel && kernel.error().kind == ErrorKind::corrupt) return Timed{{}, kernel.error().message};
  return kernel;
}

Result<ScanResult> CpuScanBench::measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) {
  ScanResult result = work;
  result.bytes = std::min<std::uint64_t>(work.bytes, values_.size());
  auto copy = timed_copy(length_of(result), pacer, stop);
  if (!copy) return copy.error();
  auto kernel = timed_kernel(result, pacer, stop);
  if (!kernel) return kernel.error();
  if (!copy->fault.empty()) return Error{ErrorKind::io, "memcpy: " + copy->fault};
  result.copy = copy->timing;
  result.kernel = kernel->timing;
  result.fault = std::move(kernel->fault);
  result.limit = copy_limit(result.copy);
  return result;
}

}  // namespace

std::unique_ptr<ScanBench> cpu_scan_bench(std::uint64_t bytes) {
  return std::make_unique<CpuScanBench>(static_cast<std::size_t>(bytes));
}

// ---- A device

namespace {

cuda::ScanToTime scan_to_time(const ScanWork& work) {
  return {work.scan, work.direction == Direction::integrate, formats::column_of(work.coding), work.bytes,
          work.chunk_bytes,
          // Copies are timed once for each cell: baselines and the other direction copy the same bytes.
          work.scan == "tdz" && work.shape == Shape::batch && work.coding.layout == Layout::interleaved &&
              work.direction == Direction::integrate};
}

class DeviceScanBench final : public ScanBench {
 public:
  explicit DeviceScanBench(std::unique_ptr<cuda::Meter> meter) : meter_(std::move(meter)) {}

  Result<MachineModel> model(const std::stop_token&) override {
    auto constants = meter_->constants();
    if (!constants) return constants.error();
    model_ = {"cuda", constants->bytes_per_second, constants->latency, constants->threads,
              constants->access_bytes};
    return model_;
  }

  Result<ScanResult> measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) override {
    if (stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped"};
    const Repeats share = pacer.next(), other = pacer.next();
    auto times = meter_->time(scan_to_time(work), {std::min(share.seconds, other.seconds), share.most});
    if (!times) return times.error();
    ScanResult result = work;
    result.fault = std::move(times->fault);
    if (times->kernel.empty()) return result;
    result.kernel = timing_of(std::move(times->kernel));
    result.copy = timing_of(std::move(times->copy));
    if (!times->with_copies.empty()) result.with_copies = timing_of(std::move(times->with_copies));
    result.limit = memory_machine_limit(model_, work.bytes, work.coding.word);
    return result;
  }

  void describe(Machine& machine) const override {
    const auto device = meter_->device();
    machine.cuda = "driver " + device.driver + ", runtime " + device.runtime;
  }

  Result<std::optional<Copies>> copies(std::uint64_t bytes) override {
    constexpr cuda::Repeats kSome{0.1, 25};
    auto times = meter_->copies(bytes, kSome);
    if (!times) return times.error();
    return std::optional(
        Copies{timing_of(std::move(times->to_device)), timing_of(std::move(times->from_device))});
  }

 private:
  std::unique_ptr<cuda::Meter> meter_;
  MachineModel model_;
};

}  // namespace

Result<std::unique_ptr<ScanBench>> device_scan_bench(const DeviceOptions& device, std::uint64_t bytes) {
  auto meter = cuda::make_meter(device.first(), bytes, device.memory);
  if (!meter) return meter.error();
  return std::unique_ptr<ScanBench>(std::make_unique<DeviceScanBench>(*std::move(meter)));
}

bool can_measure(const ScanWork& work) {
  if (work.backend == "cpu") return work.scan == "tdz";
  if (work.coding.packed) return false;
  return cuda::can_scan(scan_to_time(work));
}

}  // namespace tdz::app::bench
