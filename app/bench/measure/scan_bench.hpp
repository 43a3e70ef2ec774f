// SPDX-License-Identifier: Apache-2.0
// Measures kernels alone: numbers and residuals lie in the memory of the CPU or GPU that computes. And the
// shortest possible time of a prefix sum: the memory machine model, which docs/limit.md explains.
#pragma once

#include <memory>

#include "app/bench/measure/timing.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::bench {

/// The work: the fields of a ScanResult that are known before the measurement.
using ScanWork = ScanResult;

/// Copies between pinned memory of the host and the device.
struct Copies {
  Timing to_device, from_device;
};

inline constexpr std::size_t kScanPieces = 2;  ///< the kernel, and a copy to compare it with

/// One backend's kernels.
class ScanBench {
 public:
  virtual ~ScanBench() = default;
  /// The backend's constants for the limit.
  virtual Result<MachineModel> model(const std::stop_token& stop) = 0;
  /// Adds what is known about a device.
  virtual void describe(Machine&) const {}
  /// Nothing for the CPU, which needs no copies. Errors: limit, io.
  virtual Result<std::optional<Copies>> copies(std::uint64_t) { return std::optional<Copies>(); }
  /// Errors: limit, io, cancelled. A wrong byte is the result's `fault`.
  virtual Result<ScanResult> measure(const ScanWork& work, Pacer& pacer, const std::stop_token& stop) = 0;
};

/// The CPU backend, chunk by chunk on one thread, for up to `bytes` bytes. Takes three times `bytes` of
/// memory.
std::unique_ptr<ScanBench> cpu_scan_bench(std::uint64_t bytes);
/// A GPU. Errors: unsupported, limit, io.
Result<std::unique_ptr<ScanBench>> device_scan_bench(const DeviceOptions& device, std::uint64_t bytes);

/// Whether that scan can do this work.
bool can_measure(const ScanWork& work);

// ---- The limit

/// The unified memory machine's time for the prefix sums of n numbers, O(n/w + n l/p + l log n), with the
/// measured constants of a device. The terms: all bytes at its bandwidth; the accesses of its resident
/// threads, one latency each; one chain of dependent accesses, as deep as the reduction. Every byte is read
/// once and written once. Source: Nakano, "Simple Memory Machine Models for GPUs", IPDPSW 2012. Precondition:
/// word divides bytes or is shorter.
Limit memory_machine_limit(const MachineModel& model, std::uint64_t bytes, unsigned word);

/// If only the time of a copy is known, it is the limit.
Limit copy_limit(const Timing& copy);

}  // namespace tdz::app::bench
