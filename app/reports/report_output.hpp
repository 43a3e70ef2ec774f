// SPDX-License-Identifier: Apache-2.0
// Where the reports of a run go. Two outputs: a report that is written at the end, and text that is written
// while the run goes on. One thread at a time.
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

/// The files that a report must not replace.
struct FilesOfRun {
  std::vector<std::string> inputs;
  std::optional<FileIdentity> log;
};

/// The output of a report that is written at the end of a long run. It is opened before the run begins, so
/// that a bad name is found early. A file gets its name when it is complete, or never.
class ReportOutput {
 public:
  /// Without a path it is standard output. A pipe or a device is written directly. Errors: usage, io.
  static Result<ReportOutput> open(const std::optional<std::string>& path, ExistingTarget existing,
                                   const FilesOfRun& run);

  /// Would `open` refuse this path? For a path that cannot be opened yet, because another OutputFile is open.
  static Status check(const std::string& path, ExistingTarget existing, const FilesOfRun& run);

  /// Writes the whole report. Call it once.
  Status write(std::string_view text, Interrupts& interrupts);

 private:
  std::string shown_ = "(stdout)";
  std::unique_ptr<OutputFile> file_;
  Fd device_;
};

/// Text on standard output. It is written in pieces, and every error is reported.
class TextOutput {
 public:
  explicit TextOutput(Interrupts& interrupts);

  /// Errors: io, cancelled.
  Status put(std::string_view text);
  /// Writes what put() has kept back. Errors: io, cancelled.
  Status flush();

 private:
  FdSink sink_;
  std::string pending_;
};

}  // namespace tdz::app
