// SPDX-License-Identifier: Apache-2.0
// From the command to the list of measurements, and from the list to the report. To plan is pure:
// bench_verb.cpp reads the files.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/bench/measure/made_numbers.hpp"
#include "app/bench/measure/scan_bench.hpp"
#include "app/bench/results.hpp"
#include "app/options/options.hpp"

namespace tdz::app::bench {

/// A file, or numbers that the run makes.
struct Subject {
  std::string name;
  std::optional<Kind> made;
  NumberType type;  ///< its own cell of the grid, if the command gives no ranges
  Layout layout = Layout::tuple_planes;
  std::uint64_t bytes = 0;  ///< to be measured
  std::string chosen = {};  ///< the steps that compress would choose, if no cell of the grid can have them
};

struct CodecCell {
  std::size_t subject = 0;
  Coding coding;
  int level = kDefaultLevel;
  BackendChoice backend = BackendChoice::cpu;
};
struct RawCell {
  std::size_t subject = 0;
  int level = kDefaultLevel;
};

struct Plan {
  std::vector<Subject> subjects;
  std::vector<RawCell> raw;
  std::vector<CodecCell> codec;
  std::vector<ScanWork> scans, curves;
  double seconds = 0;  ///< for the whole run, about
  DeviceOptions device;
  bool with_device = false;
  std::vector<std::string> remarks;

  /// Units of progress.
  std::size_t cells() const { return raw.size() + codec.size() + scans.size() + curves.size(); }
  /// Pieces of work for a pacer.
  std::size_t pieces() const;
  /// The most host memory that it takes, in bytes.
  std::uint64_t memory() const;
  /// The bytes of the longest scan on a backend; 0 if there is none.
  std::uint64_t scan_bytes(std::string_view backend) const;
};

/// `files` are those of the command, with their lengths and types. Without files the run makes numbers.
/// Error usage: no scan has that name, or none of the backends can do it.
Result<Plan> make_plan(const BenchCommand& command, std::span<const Subject> files);

// run.cpp carries a plan out.

struct Hooks {
  std::stop_token stop;
  /// The first `bytes` bytes of a subject that is a file.
  std::function<Result<std::vector<std::byte>>(const Subject&)> load;
  /// Cells done so far.
  std::function<void(std::size_t)> progress;
};

/// What was measured, and how it ended.
struct Outcome {
  Report report;
  Status end = ok();
};

/// Measures the plan, cell by cell. After a stop request or an error it returns what was measured so far,
/// marked as incomplete. Pins the process to one processor. Errors: limit (not enough memory), and every
/// error before the first cell was measured.
Result<Outcome> carry_out(const Plan& plan, const Hooks& hooks);

}  // namespace tdz::app::bench
