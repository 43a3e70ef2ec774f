// SPDX-License-Identifier: Apache-2.0
#include "app/reports/tally.hpp"

#include <spdlog/fmt/fmt.h>

namespace tdz::app {
namespace {

std::string_view failure_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "refused";
    case ErrorKind::corrupt:
      return "corrupt, or no tdz file";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "asks for what is not available";
    case ErrorKind::io:
      return "reading or writing";
    case ErrorKind::limit:
      return "a limit, or missing memory";
    case ErrorKind::cancelled:
      return "stopped";
  }
  return "";
}

std::string first_line(const Tally& tally, const std::string& what) {
  const auto good = tally.files - tally.failed;
  if (tally.failed != 0)
    return fmt::format("{} of {} files: {}; {} failed", good, tally.files, what, tally.failed);
  return fmt::format("{} {}: {}", good, good == 1 ? "file" : "files", what);
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

std::vector<std::string> tally_lines(const Tally& tally, const std::string& what, Wanted wanted,
                                     bool looked_for_files) {
  std::vector<std::string> lines;
  if (!looked_for_files && tally.files + tally.passed_over() < 2) return lines;
  lines.push_back(first_line(tally, what));
  const auto count = [&lines](std::size_t files, std::string_view outcome) {
    if (files != 0) lines.push_back(fmt::format("{} {}", files, outcome));
  };
  for (std::size_t kind = 0; kind < kErrorKinds; ++kind)
    count(tally.failed_by_kind[kind],
          fmt::format("failed: {}", failure_text(ErrorKind{static_cast<std::uint8_t>(kind)})));
  count(tally.present, "skipped: the target exists");
  count(tally.excluded, "excluded");
  count(tally.unwanted,
        wanted == Wanted::packed ? "left alone: not named .tdz" : "left alone: named .tdz already");
  count(tally.remains, "left alone: remains of a killed tdz");
  count(tally.no_files, "left alone: a link, pipe, socket or device");
  return lines;
}

}  // namespace tdz::app
