// SPDX-License-Identifier: Apache-2.0
// Where a report goes that is written at the end of a long run. It is opened before the run begins, so that a
// name that cannot be had costs nobody an hour; a file appears whole or not at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/files/output_file.hpp"

namespace tdz::app {

/// None of which a report may replace.
struct FilesOfRun {
  std::vector<std::string> inputs;
  std::optional<FileIdentity> log;
};

class ReportOutput {
 public:
  /// No path is standard output; a pipe or a device is written as it is. Errors: usage, io.
  static Result<ReportOutput> open(const std::optional<std::string>& path, ExistingTarget existing,
                                   const FilesOfRun& run);

  /// Whether open would refuse a path now, for where it cannot be opened yet: one OutputFile at a time.
  static Status check(const std::string& path, ExistingTarget existing, const FilesOfRun& run);

  /// All of it, once.
  Status write(std::string_view text, Interrupts& interrupts);

 private:
  std::string shown_ = "(stdout)";
  std::unique_ptr<OutputFile> file_;
  Fd device_;
};

}  // namespace tdz::app
