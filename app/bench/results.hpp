// SPDX-License-Identifier: Apache-2.0
// What a run of `tdz bench` measured, as one value. Every format is a pure function of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::bench {

/// The middle one, or the mean of the two in the middle. Precondition: not empty.
inline double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// Seconds of repeated runs of the same work.
struct Timing {
  double median = 0;
  double least = 0;
  double most = 0;
  unsigned runs = 0;

  bool has_spread() const { return runs > 1 && median > 0; }
  /// Half the distance from the fastest run to the slowest, divided by the median. Precondition:
  /// has_spread().
  double spread() const { return median > 0 ? (most - least) / 2 / median : 0; }
  /// 0 where nothing was timed.
  double bytes_per_second(std::uint64_t bytes) const {
    return median > 0 ? static_cast<double>(bytes) / median : 0;
  }
};

/// A file, or numbers made for the run.
struct DataSet {
  std::string name;
  std::uint64_t bytes = 0;  ///< measured; of a longer file only the beginning
  NumberType type;          ///< the file's own
  bool generated = false;
};

/// One way to code numbers: a cell of the grid.
using Coding = formats::Parameters;

/// The stages of the codec, each timed alone over all chunks. The CPU has no copies.
struct Stages {
  Timing digest;
  Timing difference;  ///< with zigzag and layout: one call of the backend
  Timing pack;        ///< zstd
  Timing unpack;
  Timing integrate;
  std::optional<Timing> to_device, from_device;
};

/// One cell of the whole codec: compress and decompress in memory, with one thread.
struct CodecResult {
  std::size_t data = 0;  ///< index into Report::data
  Coding coding{};
  int level = 0;
  std::string backend;
  std::uint64_t bytes = 0;
  std::uint64_t stored = 0;
  Timing compress{}, decompress{};
  Stages stages;
  Timing copy;        ///< memcpy of the same bytes
  std::string fault;  ///< what was wrong; empty: every byte was right

  double ratio() const { return stored > 0 ? static_cast<double>(bytes) / static_cast<double>(stored) : 0; }
};

/// Plain zstd on the raw bytes, in frames as long as the chunks.
struct RawResult {
  std::size_t data = 0;
  int level = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stored = 0;
  Timing compress{}, decompress{};

  double ratio() const { return stored > 0 ? static_cast<double>(bytes) / static_cast<double>(stored) : 0; }
};

/// The time that the memory machine model gives (docs/limit.md), in seconds. An unknown term is 0.
struct Limit {
  double bandwidth = 0;  ///< n / w
  double latency = 0;    ///< n l / p
  double reduction = 0;  ///< l log n

  double seconds() const { return std::max({bandwidth, latency, reduction}); }
  /// The term that binds.
  std::string_view binding() const {
    if (seconds() == bandwidth) return "bandwidth";
    return seconds() == latency ? "latency" : "reduction";
  }
};

enum class Direction : std::uint8_t { difference, integrate };
/// Chunks in one launch, or all bytes as one chunk.
enum class Shape : std::uint8_t { batch, chain };

/// One cell of kernels alone: values and residuals lie in the memory of the CPU or GPU that computes.
struct ScanResult {
  std::string backend;  ///< "cpu" or "cuda"
  std::string scan;     ///< "tdz" or the name of a baseline
  Direction direction = Direction::integrate;
  Shape shape = Shape::batch;
  Coding coding{};
  std::uint64_t bytes = 0;
  std::uint64_t chunk_bytes = 0;
  Timing kernel{};
  std::optional<Timing> with_copies{};  ///< with copies from and to pinned memory of the host
  Timing copy{};                        ///< memcpy of the same bytes, measured beside the kernel
  Limit limit{};
  std::string fault{};

  /// The kernel's speed divided by memcpy's.
  double share() const { return kernel.median > 0 ? copy.median / kernel.median : 0; }
  double share_of_limit() const { return kernel.median > 0 ? limit.seconds() / kernel.median : 0; }
};

/// The constants of the memory machine model, measured on one backend.
struct MachineModel {
  std::string backend;
  double bytes_per_second = 0;  ///< w: bytes that a copy reads and writes
  double latency = 0;           ///< l, seconds: a read that misses all caches
  double threads = 0;           ///< p: resident at the same time
  double access_bytes = 0;      ///< bytes that a thread moves in one access
};

/// Where and with what it ran. A text is empty if it is unknown.
struct Machine {
  std::string processor;
  unsigned cores = 0;  ///< available to this process
  std::string pinned;  ///< "processor 1", or the reason why not
  std::string clock;   ///< how its clock behaves: governor, boost
  std::uint64_t memory = 0;
  std::string system;  ///< kernel and distribution
  std::string compiler;
  std::string tdz, zstd;
  std::string instructions;  ///< of the CPU backend: its instruction set
  std::string device, driver, cuda;
};

/// How many processes ran or waited to run, as a mean over one minute.
struct Load {
  double before = 0, after = 0;  ///< the run
};

struct Report {
  std::vector<std::string> command_line;  ///< the words after "tdz"
  std::string started;                    ///< UTC, "2026-01-31T12:00:00Z"
  double seconds = 0;                     ///< of the whole run
  std::optional<Load> load;               ///< nothing if the system does not say
  std::optional<double> cpu_share;        ///< processor time, user and system, divided by `seconds`
  bool complete = true;                   ///< false: it was interrupted, or an error ended it
  std::vector<std::string> remarks;       ///< sentences: what was left out or is doubtful, and why
  Machine machine;
  std::vector<MachineModel> models;
  std::vector<DataSet> data;
  std::vector<RawResult> raw;
  std::vector<CodecResult> codec;
  std::vector<ScanResult> scans;   ///< all of one length
  std::vector<ScanResult> curves;  ///< the same scans over a range of lengths
};

}  // namespace tdz::app::bench
