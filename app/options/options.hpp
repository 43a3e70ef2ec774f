// SPDX-License-Identifier: Apache-2.0
// The commands as plain values. The verbs know only these values, not the words of the command line.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// A FILE of this name is standard input.
inline constexpr std::string_view kStandardInput = "-";

/// A layout of a grid: one of words, or packed groups.
struct GridLayout {
  Layout of_words = Layout::interleaved;
  bool packed = false;
  friend bool operator==(const GridLayout&, const GridLayout&) = default;
};

/// The ranges of parameters of bench and roundtrip, --orders 1-8 --tuples 1,2,5-8: the lists that were given.
/// A list that was not given is empty.
struct Grid {
  std::vector<std::uint8_t> words;
  std::vector<std::uint32_t> tuples;
  std::vector<std::uint8_t> orders;
  std::vector<GridLayout> layouts;
  std::vector<int> levels;
  std::vector<BackendChoice> backends;  ///< cpu and cuda

  /// Is any of words, tuples, orders and layouts given?
  bool ranges() const { return !(words.empty() && tuples.empty() && orders.empty() && layouts.empty()); }
};

enum class ProgressChoice : std::uint8_t { automatic, always, never };

/// What the program shows while it runs, and whether it gives up rights first.
struct Reporting {
  bool quiet = false;    ///< show errors only
  bool verbose = false;  ///< show a line for every file too
  ProgressChoice progress = ProgressChoice::automatic;
  std::optional<std::string> log_file;
  bool no_sandbox = false;
};

/// Where results go.
struct OutputOptions {
  bool to_stdout = false;
  std::optional<std::string> file;  ///< instead of the name made from the source's name
  bool force = false;               ///< replace a target, write to a terminal, read a device
  bool remove_source = false;       ///< when the result is on disk
  std::optional<std::string> tree;  ///< a folder for results, with the same folders in it as the sources
  bool skip_existing = false;       ///< skip a source whose target exists
  bool sparse = false;              ///< holes instead of zeros
};

/// A file with a list of names, or "-" for standard input, and the character that ends each name.
struct NameList {
  std::string file;
  char separator = '\n';
};

/// Which files to process besides those that are named, and which to leave out.
struct FileSelection {
  bool recursive = false;  ///< go through folders
  std::vector<NameList> lists;
  std::vector<std::string> exclude;  ///< see NameFilter
  bool looks_for_files() const { return recursive || !lists.empty(); }
};

/// `files` of a command is empty only if there are lists: without FILE it is standard input.
struct CompressCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  OutputOptions output;
  CompressOptions codec;
  bool verify = false;       ///< decode the result before it gets its name
  bool independent = false;  ///< search each file, whatever was found before
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
  InspectOptions codec = {};
};

/// With a selection that looks for files: an estimate of all of them from samples.
struct AnalyzeCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  bool force = false;  ///< read a device
  bool json = false;
  CompressOptions codec;
};

struct RecoverCommand {
  std::vector<std::string> files;  ///< exactly one
  Reporting reporting;
  OutputOptions output;  ///< a file, or standard output
  RecoverOptions codec;
  std::optional<std::string> map;  ///< where to write the list of missing ranges
  bool archive = false;            ///< write the healed file, not its original
};

/// Adds parity to files of tdz, or takes it away.
struct ProtectCommand {
  std::vector<std::string> files;
  FileSelection selection;
  Reporting reporting;
  OutputOptions output;  ///< without a file, the result takes the place of its source
  ProtectOptions codec;
};

enum class BenchFormat : std::uint8_t { table, json, csv, markdown, html };

struct BenchCommand {
  std::vector<std::string> files;  ///< none: numbers are generated
  Reporting reporting;
  Grid grid;
  std::vector<std::string> scans;     ///< kernels to measure alone; none: chosen by the other options
  std::optional<std::uint64_t> size;  ///< bytes of each cell; nothing: chosen by the backend
  std::optional<std::chrono::milliseconds> time;  ///< for the whole report
  bool curves = false;                            ///< also measure the scans over a range of lengths
  std::optional<NumberType> type;                 ///< of the files; nothing: search for it
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

/// A text to print: help, or a script with completions.
struct TextCommand {
  Reporting reporting;
  std::string text;
};

using Command = std::variant<CompressCommand, DecompressCommand, VerifyCommand, InfoCommand, AnalyzeCommand,
                             RecoverCommand, ProtectCommand, BenchCommand, RoundtripCommand, DevicesCommand,
                             VersionCommand, TextCommand>;

}  // namespace tdz::app
