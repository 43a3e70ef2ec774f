// SPDX-License-Identifier: Apache-2.0
// What the command line asked for, as plain values. The verbs know these and nothing of how they were typed.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

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
  OutputOptions output;            ///< a file, or standard output
  RecoverOptions codec;
  std::optional<std::string> map;  ///< where the missing ranges are listed
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

using Command = std::variant<CompressCommand, DecompressCommand, VerifyCommand, InfoCommand, AnalyzeCommand,
                             RecoverCommand, DevicesCommand, VersionCommand, HelpCommand>;

}  // namespace tdz::app
