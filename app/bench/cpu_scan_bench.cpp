// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "app/bench/limit.hpp"
#include "app/bench/made_numbers.hpp"
#include "app/bench/scan_bench.hpp"
#include "kernels/backend.hpp"
#include "kernels/oracle.hpp"

namespace tdz::app::bench {
namespace {

using Bytes = std::vector<std::byte>;

class CpuScanBench final : public ScanBench {
 public:
  explicit CpuScanBench(std::uint64_t bytes)
      : values_(made_numbers(Kind::noisy, {'u', 8, 1}, bytes)),
        residuals_(values_.size()),
        out_(values_.size()) {}

  Result<MachineModel> model() override {
    Pacer pacer(0.5, 1);
    auto copy = timed_copy(values_.size(), pacer, {});
    if (!copy) return copy.error();
    return MachineModel{.backend = "cpu",
                        .bytes_per_second = 2 * copy->timing.bytes_per_second(values_.size())};
  }

  Result<ScanResult> measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) override;

 private:
  Result<Timed> timed_copy(std::uint64_t bytes, Pacer& pacer, const std::stop_token& stop);
  Status run(const ScanWork& work, bool integrate, const Bytes& in, Bytes& out);
  std::string check(const ScanWork& work) const;
  Result<Timed> timed_kernel(const ScanWork& work, Pacer& pacer, const std::stop_token& stop);

  Bytes values_, residuals_, out_;
  Bytes scratch_;
};

Result<Timed> CpuScanBench::timed_copy(std::uint64_t bytes, Pacer& pacer, const std::stop_token& stop) {
  const auto copy = [&] {
    std::memcpy(out_.data(), residuals_.data(), bytes);
    return ok();
  };
  return timed(pacer.next(), stop, copy, [] { return std::string(); });
}

Status CpuScanBench::run(const ScanWork& work, bool integrate, const Bytes& in, Bytes& out) {
  const Transform transform = formats::usual_transform(work.coding);
  for (std::uint64_t begin = 0; begin < work.bytes; begin += work.chunk_bytes) {
    const std::size_t bytes = std::min(work.chunk_bytes, work.bytes - begin);
    scratch_.resize(scratch_bytes(transform, bytes));
    const TransformJob job{&transform, std::span(in).subspan(begin, bytes),
                           std::span(out).subspan(begin, bytes), scratch_};
    auto done = integrate ? cpu_backend().inverse({&job, 1}) : cpu_backend().forward({&job, 1});
    if (!done) return done;
  }
  return ok();
}

/// The result against what it must be; of the residuals the beginning of a chunk against the oracle.
std::string CpuScanBench::check(const ScanWork& work) const {
  const Bytes& expected = work.direction == Direction::integrate ? values_ : residuals_;
  const auto end = expected.begin() + static_cast<std::ptrdiff_t>(work.bytes);
  const auto place = std::mismatch(expected.begin(), end, out_.begin()).first;
  return place == end ? std::string() : fmt::format("the first wrong byte is {}", place - expected.begin());
}

/// Whether the kernels make of a few numbers what the oracle makes of them.
std::string oracle_agrees(const Coding& coding, const Bytes& values) {
  const Transform transform = formats::usual_transform(coding);
  const std::size_t bytes = std::min<std::size_t>(values.size(), 16u << 10);
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  const auto expected = oracle::forward(transform, {first, first + bytes});
  Bytes found(bytes), scratch(scratch_bytes(transform, bytes));
  const TransformJob job{&transform, std::span(values).first(bytes), found, scratch};
  if (auto done = cpu_backend().forward({&job, 1}); !done) return done.error().message;
  const bool same = std::ranges::equal(expected, found, {}, {},
                                       [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
  return same ? std::string() : "the residuals differ from the oracle's";
}

Result<Timed> CpuScanBench::timed_kernel(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) {
  const bool integrate = work.direction == Direction::integrate;
  if (auto done = run(work, false, values_, residuals_); !done) return done.error();
  if (auto fault = oracle_agrees(work.coding, values_); !fault.empty()) return Timed{{}, std::move(fault)};
  return timed(
      pacer.next(), stop, [&] { return run(work, integrate, integrate ? residuals_ : values_, out_); },
      [&] { return check(work); });
}

Result<ScanResult> CpuScanBench::measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) {
  ScanResult result = work;
  result.bytes = std::min<std::uint64_t>(work.bytes, values_.size());
  auto copy = timed_copy(result.bytes, pacer, stop);
  if (!copy) return copy.error();
  auto kernel = timed_kernel(result, pacer, stop);
  if (!kernel) return kernel.error();
  result.copy = copy->timing;
  result.kernel = kernel->timing;
  result.fault = std::move(kernel->fault);
  result.limit = copy_limit(result.copy);
  return result;
}

}  // namespace

std::unique_ptr<ScanBench> cpu_scan_bench(std::uint64_t bytes) {
  return std::make_unique<CpuScanBench>(bytes);
}

}  // namespace tdz::app::bench
