// SPDX-License-Identifier: Apache-2.0
// Kernels measured alone: numbers and residuals lie where they are computed.
#pragma once

#include <memory>

#include "app/bench/measure/timing.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// What is to be measured: the parts of a ScanResult that are known before.
using ScanWork = ScanResult;

/// Between pinned memory of the host and the device.
struct Copies {
  Timing to_device, from_device;
};

inline constexpr std::size_t kScanPieces = 2;  ///< the kernel, and a copy beside it

/// One who computes.
class ScanBench {
 public:
  virtual ~ScanBench() = default;
  /// The constants that bound it.
  virtual Result<MachineModel> model(const std::stop_token& stop) = 0;
  /// What is known of it beyond the processor.
  virtual void describe(Machine&) const {}
  /// Nothing where numbers lie in the host's memory. Errors: limit, io.
  virtual Result<std::optional<Copies>> copies(std::uint64_t) { return std::optional<Copies>(); }
  /// Errors: limit, io, cancelled; a wrong byte is the result's fault.
  virtual Result<ScanResult> measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) = 0;
};

/// The CPU backend, chunk by chunk on one thread, for up to `bytes` bytes. Takes three times as much.
std::unique_ptr<ScanBench> cpu_scan_bench(std::uint64_t bytes);
/// A GPU. Errors: unsupported, limit, io.
Result<std::unique_ptr<ScanBench>> device_scan_bench(const DeviceOptions& device, std::uint64_t bytes);

/// Whether that scan can do this work at all.
bool can_measure(const ScanWork& work);

}  // namespace tdz::app::bench
