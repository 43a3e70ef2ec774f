// SPDX-License-Identifier: Apache-2.0
// Processes one file after another, and counts what came of them. A file with an error is reported, and the
// others are still processed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.hpp"
#include "app/files/job_list.hpp"
#include "app/verbs/verbs.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

inline constexpr std::size_t kErrorKinds = static_cast<std::size_t>(ErrorKind::cancelled) + 1;

/// What came of many files. One thread at a time.
struct Tally {
  std::size_t files = 0;  ///< good or failed
  std::size_t failed = 0;
  std::array<std::size_t, kErrorKinds> failed_by_kind{};
  std::array<std::size_t, kJobKinds> skipped{};
  std::uint64_t original_bytes = 0;  ///< of the good files
  std::uint64_t stored_bytes = 0;
  static constexpr std::size_t kMostNames = 100;
  std::vector<std::string> failed_names;  ///< the first kMostNames
  ExitCode worst = ExitCode::done;

  void add(const Totals& done);
  void add(const std::string& file, const Error& failure);
  /// A file that was skipped for this reason.
  void add(JobKind reason);
};

/// The lines that report many files: their number with `what` was done, and a line for each kind of error and
/// each reason to skip. No line for one file that was named; a run that looked for its files always reports
/// their number.
std::vector<std::string> tally_lines(const Tally& tally, const std::string& what, Wanted wanted,
                                     bool looked_for_files);

/// Runs `work` on each file until a stop is requested, and logs every error.
Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work);

/// The files of a command, and what to do with each of them.
struct Batch {
  const std::vector<std::string>& files;
  const FileSelection& selection;
  Wanted wanted = Wanted::packed;
  std::optional<FileIdentity> results = {};                    ///< the folder of --output-dir
  std::function<bool(const std::string&)> target_exists = {};  ///< if so, with --skip-existing: skip the file
  std::function<Result<Totals>(const Job&)> work;

  bool makes_files() const { return static_cast<bool>(target_exists); }
};

/// The same, with folders and lists of names.
Tally for_each_file(const Batch& batch, Session& session);

/// Logs the lines after several files: see tally_lines.
void log_summary(const Tally& tally, const std::string& what, const Batch& batch, Session& session);

/// The exit code of a report about files. An error of the output is an error of the whole run.
ExitCode finished(const Status& done, ExitCode so_far, Session& session);

/// May recover help?
inline bool is_damage(const Error& error) {
  return error.kind == ErrorKind::corrupt || error.kind == ErrorKind::truncated;
}
/// "parity brought back all of 64.0 KiB that are damaged or lost". `did`: the verb of the sentence.
std::string healing_text(const Healing& healing, std::string_view did);

/// Logs the warnings of a call to the library.
WarningCallback warnings(Session& session);
/// Logs what a call says about its work on this file. With -v.
NoteCallback notes(Session& session, std::string shown);

}  // namespace tdz::app
