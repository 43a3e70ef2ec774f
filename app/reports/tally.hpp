// SPDX-License-Identifier: Apache-2.0
// What became of many files, counted by kind of outcome, and the lines that say so at the end. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/exit_code.hpp"
#include "app/files/job_list.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

inline constexpr std::size_t kErrorKinds = static_cast<std::size_t>(ErrorKind::cancelled) + 1;

struct Tally {
  std::size_t files = 0;  ///< that were worked on, or could not be
  std::size_t failed = 0;
  std::size_t present = 0;   ///< --skip-existing: the target is there
  std::size_t excluded = 0;  ///< by --exclude
  std::size_t unwanted = 0;  ///< found in folders, but not meant by their suffix
  std::size_t remains = 0;   ///< found in folders: what a killed tdz has left behind
  std::size_t no_files = 0;  ///< found in folders: links, pipes, sockets, devices
  std::array<std::size_t, kErrorKinds> failed_by_kind{};
  std::uint64_t original_bytes = 0;  ///< of the good ones
  std::uint64_t stored_bytes = 0;
  ExitCode worst = ExitCode::done;

  void add(const Totals& done);
  void add(const Error& failure);
  std::size_t passed_over() const { return present + excluded + unwanted + remains + no_files; }
};

/// Of one file nothing is said, of more: how many, with `what` was done, and a line for each other kind of
/// outcome. A job that looked for its files itself always says how many there were.
std::vector<std::string> tally_lines(const Tally& tally, const std::string& what, Wanted wanted,
                                     bool looked_for_files);

}  // namespace tdz::app
