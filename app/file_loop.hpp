// SPDX-License-Identifier: Apache-2.0
// One file after another: a bad one is reported and does not stop the others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/exit_code.hpp"
#include "app/session.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// What became of several files. Sizes are of the good ones.
struct Tally {
  std::size_t files = 0;
  std::size_t failed = 0;
  std::uint64_t original_bytes = 0;
  std::uint64_t stored_bytes = 0;
  ExitCode worst = ExitCode::done;
};

/// Runs `work` on each file until a stop is requested, and tells the log of every error.
Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work);

/// The line at the end of several files: `what` was done, and how many failed.
void log_summary(const Tally& tally, const std::string& what, Session& session);

/// The exit code of a report about files: an output that failed fails the whole run.
ExitCode finished(const Status& done, ExitCode so_far, Session& session);

/// "this is no tdz file (at byte 0)".
std::string error_text(const Error& error);
/// "2.93", or "-" of nothing.
std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes);

}  // namespace tdz::app
