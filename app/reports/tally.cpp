// SPDX-License-Identifier: Apache-2.0
#include "app/reports/tally.hpp"

#include <spdlog/fmt/fmt.h>

#include <numeric>

namespace tdz::app {
namespace {

std::string_view failure_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "refused";
    case ErrorKind::corrupt:
      return "corrupt, or not a tdz file";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "needs something that is not available";
    case ErrorKind::io:
      return "reading or writing";
    case ErrorKind::limit:
      return "a limit, or too little memory";
    case ErrorKind::cancelled:
      return "stopped";
  }
  return "";
}

std::string first_line(const Tally& tally, const std::string& what) {
  const auto good = tally.files - tally.failed;
  const std::string_view files = tally.files == 1 ? "file" : "files";
  const std::string count = tally.failed != 0 ? fmt::format("{} of {} {}", good, tally.files, files)
                                              : fmt::format("{} {}", good, files);
  return good == 0 ? count : count + ": " + what;  // without a result there are no sizes
}

}  // namespace

void Tally::add(const Totals& done) {
  ++files;
  original_bytes += done.original_bytes;
  stored_bytes += done.stored_bytes;
}

void Tally::add(const Error& failure) {
  ++files;
  ++failed;
  ++failed_by_kind[static_cast<std::size_t>(failure.kind)];
  worst = worse(worst, exit_code(failure.kind));
}

void Tally::add(Skipped reason) {
  ++skipped[static_cast<std::size_t>(reason)];
}

std::string_view skip_text(Skipped reason, Wanted wanted) {
  switch (reason) {
    case Skipped::target_exists:
      return "the target exists";
    case Skipped::excluded:
      return "excluded by --exclude";
    case Skipped::wrong_suffix:
      return wanted == Wanted::packed ? "the name does not end in .tdz" : "the name already ends in .tdz";
    case Skipped::leftover:
      return "a temporary file of a killed tdz";
    case Skipped::hidden_source:
      return "a source that a killed tdz --rm left under a hidden name";
    case Skipped::not_regular:
      return "a link, pipe, socket or device";
  }
  return "";
}

std::vector<std::string> tally_lines(const Tally& tally, const std::string& what, Wanted wanted,
                                     bool looked_for_files) {
  std::vector<std::string> lines;
  const auto skipped = std::accumulate(tally.skipped.begin(), tally.skipped.end(), std::size_t{0});
  if (!looked_for_files && tally.files + skipped < 2) return lines;
  lines.push_back(first_line(tally, what));
  const auto count = [&lines](std::size_t files, std::string_view outcome, std::string_view why) {
    if (files != 0) lines.push_back(fmt::format("{} {}: {}", files, outcome, why));
  };
  for (std::size_t kind = 0; kind < kErrorKinds; ++kind)
    count(tally.failed_by_kind[kind], "failed", failure_text(ErrorKind{static_cast<std::uint8_t>(kind)}));
  for (std::size_t reason = 0; reason < kSkipReasons; ++reason)
    count(tally.skipped[reason], "skipped", skip_text(Skipped{static_cast<unsigned char>(reason)}, wanted));
  return lines;
}

}  // namespace tdz::app
