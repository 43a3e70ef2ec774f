// SPDX-License-Identifier: Apache-2.0
// Measures the kernels of a device, alone and with copies, and the constants of the device that limit them.
// For speed reports: every result is checked, and no file is coded with it. Needs no CUDA header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::cuda {

/// One scan over `bytes` bytes on the device, cut into chunks of `chunk_bytes` (a multiple of 16), the last
/// one shorter.
struct ScanToTime {
  std::string_view scan = "tdz";
  bool integrate = true;  ///< undo the column; else apply it
  Column column;
  std::uint64_t bytes = 0;
  std::uint64_t chunk_bytes = 0;
  bool with_copies = false;  ///< time it from and to pinned host memory, too
};

/// After one run that is not counted: runs until the time is over, but at least and at most so many.
struct Repeats {
  double seconds = 0;
  unsigned most = 25;
  unsigned least = 3;
};

/// Seconds of each run. `fault` says what was wrong; it is empty if everything was right.
struct ScanTimes {
  std::vector<double> kernel;
  std::vector<double> copy;  ///< device to device, of the same bytes
  std::vector<double> with_copies;
  std::string fault;
};

/// Copies between pinned host memory and the device.
struct CopyTimes {
  std::vector<double> to_device, from_device;
};

/// The parameters of the memory machine model.
struct DeviceConstants {
  double bytes_per_second = 0;  ///< read and written by a copy
  double latency = 0;           ///< seconds of a dependent read that misses all caches
  double threads = 0;           ///< resident at once
  double access_bytes = 16;     ///< the widest access of a thread
};

struct MeterDevice {
  std::string name;
  std::string driver, runtime;  ///< CUDA versions, "13.0"
};

/// Belongs to one thread, and to one device.
class Meter {
 public:
  virtual ~Meter() = default;

  virtual MeterDevice device() const = 0;
  /// Errors: usage (no such scan, or not for these steps), limit (memory), io.
  virtual Result<ScanTimes> time(const ScanToTime& what, const Repeats& repeats) = 0;
  virtual Result<CopyTimes> copies(std::uint64_t bytes, const Repeats& repeats) = 0;
  virtual Result<DeviceConstants> constants() = 0;
  /// Runs the kernels of a column on one chunk of host memory: undoes it, or else applies it. The chunk
  /// goes to the device and back through pinned memory. `in` and `out` have the same length, at most the
  /// meter's bytes. Errors: usage (it is longer), limit (memory), io; then `out` is as it was.
  virtual Status run(const Column& column, bool integrate, std::span<const std::byte> in,
                     std::span<std::byte> out) = 0;
};

/// A meter for up to `bytes` bytes; it takes three times as much on the device. Errors: unsupported (no
/// device, not built), limit (it needs more than `memory`, if that is not 0, or more than is free; the
/// message says both), io.
Result<std::unique_ptr<Meter>> make_meter(int device, std::uint64_t bytes, std::uint64_t memory);

/// "tdz", and the prefix sums of the literature if they were built.
std::vector<std::string_view> scan_names();
/// Whether a scan can run these steps at all. The prefix sums of the literature only integrate: interleaved
/// tuples of at most 8, as one chunk.
bool can_scan(const ScanToTime& what);

}  // namespace tdz::cuda
