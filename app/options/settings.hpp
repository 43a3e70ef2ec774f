// SPDX-License-Identifier: Apache-2.0
// The values of all options, and the command that they mean.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/options/options.hpp"
#include "app/options/table/verb_rows.hpp"

namespace tdz::app {

/// What the words of a command line said, one by one. Whether it goes together is checked by command_of().
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
  bool fastest = false, fast = false, best = false;
  bool verify = false, independent = false;
  std::optional<unsigned> protect;
  std::optional<Range> range;
  bool json = false, junit = false, chunks = false, sum = false;
  Fill fill = Fill::zeros;
  std::optional<std::string> map;
  bool archive = false;
  Grid grid;
  BenchCommand bench;
  RoundtripFormat report = RoundtripFormat::table;
};

/// The command of a verb, from its settings and from the files that were named; standard input, if the verb
/// reads files and none is named. Pure function. Error usage: options do not go together, or not with these
/// files; the error says which options, and what to do.
Result<Command> command_of(Verb verb, const Settings& settings, std::vector<std::string> files);

}  // namespace tdz::app
