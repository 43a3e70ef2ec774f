// SPDX-License-Identifier: Apache-2.0
// From what was asked for to what will be measured. Pure functions: files are looked at elsewhere.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/bench/measure/made_numbers.hpp"
#include "app/bench/measure/scan_bench.hpp"
#include "app/options/options.hpp"

namespace tdz::app::bench {

/// A file as it was found, or numbers to be made.
struct Subject {
  std::string name;
  std::optional<Kind> made;
  NumberType type;  ///< where its grid begins if nothing was asked for
  Layout layout = Layout::tuple_planes;
  std::uint64_t bytes = 0;  ///< to be measured
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
  double seconds = 0;  ///< for all of it, about
  DeviceOptions device;
  bool with_device = false;
  std::vector<std::string> remarks;

  /// Units of progress.
  std::size_t cells() const { return raw.size() + codec.size() + scans.size() + curves.size(); }
  /// Pieces of work for a pacer.
  std::size_t pieces() const;
  /// Bytes of host memory that it takes at most.
  std::uint64_t memory() const;
  /// The longest scan on a backend; 0 where there is none.
  std::uint64_t scan_bytes(std::string_view backend) const;
};

/// `files` are those of the command, with their lengths and types; none: numbers are made.
/// Error usage: a scan that nobody has, or that nobody who computes can do.
Result<Plan> make_plan(const BenchCommand& command, std::span<const Subject> files);

}  // namespace tdz::app::bench
