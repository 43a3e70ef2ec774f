// SPDX-License-Identifier: Apache-2.0
// One file after another: a bad one is reported and does not stop the others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/exit_code.hpp"
#include "app/files/job_list.hpp"
#include "app/reports/tally.hpp"
#include "app/verbs/session.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// Runs `work` on each file until a stop is requested, and tells the log of every error.
Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work);

/// The files that a command is about, and what to do with one of them.
struct Batch {
  const std::vector<std::string>& files;
  const FileSelection& selection;
  Wanted wanted = Wanted::packed;
  std::optional<FileIdentity> results = {};  ///< the folder that results go to, if there is one
  std::function<bool(const std::string&)> is_present = {};  ///< is the file's target there, and to be kept?
  std::function<Result<Totals>(const Job&)> work;
};

/// The same with folders and lists of names.
Tally for_each_file(const Batch& batch, Session& session);

/// The lines at the end of several files: see tally_lines.
void log_summary(const Tally& tally, const std::string& what, const Batch& batch, Session& session);

/// The exit code of a report about files: an output that failed fails the whole run.
ExitCode finished(const Status& done, ExitCode so_far, Session& session);

/// Where a call's warnings go.
WarningCallback warnings(Session& session);

}  // namespace tdz::app
