// SPDX-License-Identifier: Apache-2.0
// What the command line asked for, as plain values. The verbs know these and nothing of how they were typed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/options/grid.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// A FILE of this name is standard input.
inline constexpr std::string_view kStandardInput = "-";

enum class ProgressChoice : std::uint8_t { automatic, always, never };

/// What a person gets to see while it runs.
struct Reporting {
  bool quiet = false;    ///< errors only
  bool verbose = false;  ///< and a line for every file
  ProgressChoice progress = ProgressChoice::automatic;
  std::optional<std::string> log_file;
};

/// Where results go.
struct OutputOptions {
  bool to_stdout = false;
  std::optional<std::string> file;  ///< instead of the name made from the source's
  bool force = false;               ///< replace a target, write to a terminal, read a device
  bool remove_source = false;       ///< once the result is on disk
  std::optional<std::string> tree;  ///< a folder that mirrors where the sources lie
  bool skip_existing = false;       ///< leave a source alone whose target is there
  bool sparse = false;              ///< holes in place of zeros
};

/// A file of names, "-" is standard input, and what stands between them.
struct NameList {
  std::string file;
  char separator = '\n';
};

/// What to work on beside the files named, and what not.
struct FileSelection {
  bool recursive = false;  ///< go through folders
  std::vector<NameList> lists;
  std::vector<std::string> exclude;  ///< see NameFilter
  bool looks_for_files() const { return recursive || !lists.empty(); }
};

/// A command's `files` is empty only where there are lists: no FILE is standard input.
struct CompressCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  OutputOptions output;
  CompressOptions codec;
  bool verify = false;  ///< decode what was written before it gets its name
};

struct DecompressCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  OutputOptions output;
  DecompressOptions codec;
};

struct VerifyCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  bool force = false;
  DecompressOptions codec;
};

struct InfoCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  bool json = false;
  bool chunks = false;
  bool digests = false;
};

struct AnalyzeCommand {
  std::vector<std::string> files;
  Reporting reporting;
  bool force = false;  ///< read a device
  bool json = false;
  CompressOptions codec;
};

struct RecoverCommand {
  std::vector<std::string> files;  ///< one
  Reporting reporting;
  OutputOptions output;  ///< a file, or standard output
  RecoverOptions codec;
  std::optional<std::string> map;  ///< where the missing ranges are listed
};

enum class BenchFormat : std::uint8_t { table, json, csv, markdown, html };

struct BenchCommand {
  std::vector<std::string> files;  ///< none: numbers are made
  Reporting reporting;
  Grid grid;
  std::vector<std::string> scans;     ///< kernels to measure by themselves; none: as suits what was asked
  std::optional<std::uint64_t> size;  ///< bytes of each cell; nothing: as suits the backend
  std::optional<std::chrono::milliseconds> time;  ///< for the whole report
  bool curves = false;                            ///< the scans over a range of lengths, too
  std::optional<NumberType> type;                 ///< of the files; nothing: found out
  BenchFormat format = BenchFormat::table;
  std::optional<std::string> output;  ///< a file; nothing: standard output
  bool force = false;                 ///< replace it
  DeviceOptions device;
  std::vector<std::string> command_line;
};

enum class RoundtripFormat : std::uint8_t { table, json, junit };

struct RoundtripCommand {
  std::vector<std::string> files;
  Reporting reporting;
  Grid grid;
  RoundtripFormat format = RoundtripFormat::table;
  std::optional<std::string> output;  ///< a file; nothing: standard output
  bool force = false;                 ///< replace it, read a device
  std::uint32_t chunk_bytes = 0;      ///< 0: 1 MiB
  unsigned threads = 0;
  DeviceOptions device;
};

struct DevicesCommand {
  Reporting reporting;
};

struct VersionCommand {
  Reporting reporting;
};

struct HelpCommand {
  Reporting reporting;
  std::string_view text;
};

using Command =
    std::variant<CompressCommand, DecompressCommand, VerifyCommand, InfoCommand, AnalyzeCommand,
                 RecoverCommand, BenchCommand, RoundtripCommand, DevicesCommand, VersionCommand, HelpCommand>;

}  // namespace tdz::app
