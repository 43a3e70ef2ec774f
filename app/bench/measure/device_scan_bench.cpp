// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "app/bench/measure/limit.hpp"
#include "app/bench/measure/scan_bench.hpp"
#include "kernels/cuda/meter/meter.hpp"

namespace tdz::app::bench {
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
  return cuda::can_scan(scan_to_time(work));
}

}  // namespace tdz::app::bench
