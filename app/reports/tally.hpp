// SPDX-License-Identifier: Apache-2.0
// Counts the outcomes of many files, and makes the lines that report them at the end. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/exit_code.hpp"
#include "app/files/job_list.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

inline constexpr std::size_t kErrorKinds = static_cast<std::size_t>(ErrorKind::cancelled) + 1;

/// Why a file was not processed. It is no error.
enum class Skipped : unsigned char {
  target_exists,  ///< with --skip-existing
  excluded,       ///< by --exclude
  wrong_suffix,   ///< found in a folder; see Wanted
  leftover,       ///< found in a folder: a temporary file of a killed tdz
  hidden_source,  ///< found in a folder: what a killed --rm left under a hidden name
  not_regular     ///< found in a folder: a link, pipe, socket or device
};
inline constexpr std::size_t kSkipReasons = static_cast<std::size_t>(Skipped::not_regular) + 1;

/// "the target exists"
std::string_view skip_text(Skipped reason, Wanted wanted);

struct Tally {
  std::size_t files = 0;  ///< good or failed
  std::size_t failed = 0;
  std::array<std::size_t, kErrorKinds> failed_by_kind{};
  std::array<std::size_t, kSkipReasons> skipped{};
  std::uint64_t original_bytes = 0;  ///< of the good files
  std::uint64_t stored_bytes = 0;
  ExitCode worst = ExitCode::done;

  void add(const Totals& done);
  void add(const Error& failure);
  void add(Skipped reason);
};

/// The number of files with `what` was done, and a line for each kind of error and each reason to skip.
/// Nothing for one file that was named; a job that looked for its files always reports their number.
std::vector<std::string> tally_lines(const Tally& tally, const std::string& what, Wanted wanted,
                                     bool looked_for_files);

}  // namespace tdz::app
