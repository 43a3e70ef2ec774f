// SPDX-License-Identifier: Apache-2.0
// The values of all options. Whether they go together is checked later.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "app/options/options.hpp"

namespace tdz::app {

struct Settings {
  bool decompress = false, verify_files = false, list = false;
  bool help = false, version = false;
  FileSelection selection;
  Reporting reporting;
  OutputOptions output;
  bool keep = false;
  unsigned threads = 0;
  std::uint64_t memory = 0;
  std::uint64_t max_output = std::numeric_limits<std::uint64_t>::max();
  BackendChoice backend = BackendChoice::automatic;
  DeviceOptions device;
  std::optional<std::string> type;
  SearchOptions numbers;
  CompressOptions codec;
  bool fast = false, best = false;
  bool verify = false;
  std::optional<Range> range;
  bool json = false, junit = false, chunks = false, sum = false;
  Fill fill = Fill::zeros;
  std::optional<std::string> map;
  Grid grid;
  BenchCommand bench;
  RoundtripFormat report = RoundtripFormat::table;
};

}  // namespace tdz::app
