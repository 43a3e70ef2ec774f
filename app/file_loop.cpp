// SPDX-License-Identifier: Apache-2.0
#include "app/file_loop.hpp"

#include <spdlog/fmt/fmt.h>

#include <new>

#include "app/names.hpp"

namespace tdz::app {
namespace {

Result<Totals> guarded(const std::function<Result<Totals>(const std::string&)>& work,
                       const std::string& file) {
  try {
    return work(file);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::limit, "out of memory"};  // so short a text takes none
  }
}

void add(Tally& tally, const Totals& totals) {
  tally.original_bytes += totals.original_bytes;
  tally.stored_bytes += totals.stored_bytes;
}

}  // namespace

Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work) {
  Tally tally;
  for (const auto& file : files) {
    const auto result = guarded(work, file);
    if (session.interrupts.requested()) break;  // the signal says enough
    ++tally.files;
    if (result) {
      add(tally, *result);
      continue;
    }
    ++tally.failed;
    tally.worst = worse(tally.worst, exit_code(result.error().kind));
    session.log.error(fmt::format("{}: {}", shown_name(file), error_text(result.error())));
  }
  return tally;
}

void log_summary(const Tally& tally, const std::string& what, Session& session) {
  if (tally.files < 2) return;
  if (tally.failed == 0) return session.log.result(fmt::format("{} files: {}", tally.files, what));
  const auto good = tally.files - tally.failed;
  session.log.result(fmt::format("{} of {} files: {}; {} failed", good, tally.files, what, tally.failed));
}

std::string error_text(const Error& error) {
  return error.where == Error::kNowhere ? error.message
                                        : fmt::format("{} (at byte {})", error.message, error.where);
}

std::string ratio_text(std::uint64_t original_bytes, std::uint64_t stored_bytes) {
  if (original_bytes == 0 || stored_bytes == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(original_bytes) / static_cast<double>(stored_bytes));
}

ExitCode finished(const Status& done, ExitCode so_far, Session& session) {
  if (done || session.interrupts.requested()) return so_far;
  session.log.error(error_text(done.error()));
  return worse(so_far, exit_code(done.error().kind));
}

}  // namespace tdz::app
