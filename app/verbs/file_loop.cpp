// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/file_loop.hpp"

#include <spdlog/fmt/fmt.h>

#include <new>

#include "app/options/names.hpp"

namespace tdz::app {
namespace {

template <class File>
Result<Totals> guarded(const std::function<Result<Totals>(const File&)>& work, const File& file) {
  try {
    return work(file);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::limit, "out of memory"};  // so short a text takes none
  }
}

void add(Tally& tally, const std::string& file, const Result<Totals>& result, Session& session) {
  if (result) return tally.add(*result);
  tally.add(result.error());
  session.log.error(fmt::format("{}: {}", shown_name(file), error_text(result.error())));
}

void pass_over(std::size_t& count, const std::string& file, std::string_view why, Session& session) {
  ++count;
  session.log.info(fmt::format("{}: {}", shown_name(file), why));
}

/// Nothing if the signal says enough.
std::optional<Result<Totals>> worked_on(const Job& job, const Batch& batch, Session& session) {
  auto result = job.error ? Result<Totals>(*job.error) : guarded(batch.work, job);
  if (session.interrupts.requested()) return std::nullopt;
  return result;
}

/// False to stop.
bool take(const Job& job, const Batch& batch, Tally& tally, Session& session) {
  switch (job.kind) {
    case JobKind::excluded:
      pass_over(tally.excluded, job.file, "excluded", session);
      return true;
    case JobKind::unwanted:
      pass_over(tally.unwanted, job.file, "left alone for its suffix", session);
      return true;
    case JobKind::remains:
      pass_over(tally.remains, job.file, "left alone, the remains of a killed tdz", session);
      return true;
    case JobKind::no_file:
      pass_over(tally.no_files, job.file, "left alone, no regular file", session);
      return true;
    case JobKind::work:
    case JobKind::unreadable:
      break;
  }
  if (!job.error && batch.is_present && batch.is_present(job.file)) {
    pass_over(tally.present, job.file, "skipped, the target exists", session);
    return true;
  }
  const auto result = worked_on(job, batch, session);
  if (result) add(tally, job.file, *result, session);
  return result.has_value();
}

}  // namespace

Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work) {
  Tally tally;
  for (const auto& file : files) {
    const auto result = guarded(work, file);
    if (session.interrupts.requested()) break;  // the signal says enough
    add(tally, file, result, session);
  }
  return tally;
}

Tally for_each_file(const Batch& batch, Session& session) {
  Tally tally;
  std::vector<FileIdentity> own;
  if (batch.results) own.push_back(*batch.results);
  if (session.log.file()) own.push_back(*session.log.file());
  JobList jobs(batch.files, batch.selection, batch.wanted, std::move(own), session.interrupts);
  for (auto job = jobs.next(); job && !session.interrupts.requested(); job = jobs.next()) {
    if (!take(*job, batch, tally, session)) break;
  }
  return tally;
}

void log_summary(const Tally& tally, const std::string& what, const Batch& batch, Session& session) {
  if (tally.files == 0 && session.interrupts.requested()) return;
  for (const auto& line : tally_lines(tally, what, batch.wanted, batch.selection.looks_for_files()))
    session.log.result(line);
}

WarningCallback warnings(Session& session) {
  return [&session](std::string_view line) { session.log.warn(line); };
}

ExitCode finished(const Status& done, ExitCode so_far, Session& session) {
  if (done || session.interrupts.requested()) return so_far;
  session.log.error(error_text(done.error()));
  return worse(so_far, exit_code(done.error().kind));
}

}  // namespace tdz::app
