// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/file_loop.hpp"

#include <spdlog/fmt/fmt.h>

#include <new>

#include "app/files/hidden_file.hpp"
#include "app/options/names.hpp"
#include "app/verbs/transfer.hpp"

namespace tdz::app {
namespace {

template <class File>
Result<Totals> guarded(const std::function<Result<Totals>(const File&)>& work, const File& file) {
  try {
    return work(file);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::limit, "out of memory"};  // a text this short needs no memory
  }
}

void add(Tally& tally, const std::string& file, const Result<Totals>& result, Session& session) {
  if (result) return tally.add(*result);
  tally.add(result.error());
  session.log.error(fmt::format("{}: {}", shown_name(file), error_text(result.error())));
}

/// Why not to process it, if there is a reason.
std::optional<Skipped> reason_to_skip(const Job& job, const Batch& batch) {
  switch (job.kind) {
    case JobKind::excluded:
      return Skipped::excluded;
    case JobKind::wrong_suffix:
      return Skipped::wrong_suffix;
    case JobKind::leftover:
      return Skipped::leftover;
    case JobKind::hidden_source:
      return Skipped::hidden_source;
    case JobKind::not_regular:
      return Skipped::not_regular;
    case JobKind::work:
      if (batch.target_exists && batch.target_exists(job.file)) return Skipped::target_exists;
      return std::nullopt;
    case JobKind::unreadable:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Nothing after a signal: it needs no message.
std::optional<Result<Totals>> worked_on(const Job& job, const Batch& batch, Session& session) {
  auto result = job.error ? Result<Totals>(*job.error) : guarded(batch.work, job);
  if (session.interrupts.requested()) return std::nullopt;
  return result;
}

/// The next step after damage. None for standard input, because recover needs a file. None where the error at
/// byte 0 has advice of its own, behind a semicolon: the file is empty, of another format, or not known as
/// tdz.
void advise(const Job& job, const Batch& batch, const Error& error, Session& session) {
  const bool is_damage = error.kind == ErrorKind::corrupt || error.kind == ErrorKind::truncated;
  const bool has_advice = error.where == 0 && error.message.find(';') != std::string::npos;
  if (!is_damage || has_advice || batch.wanted != Wanted::packed || job.file == kStandardInput) return;
  session.log.warn(
      fmt::format("to save what is left: tdz recover {} -o OUT", printable(shell_word(job.file))));
}

/// False to stop.
bool take(const Job& job, const Batch& batch, Tally& tally, Session& session) {
  if (const auto reason = reason_to_skip(job, batch)) {
    tally.add(*reason);
    session.log.info(fmt::format("{}: skipped: {}", shown_name(job.file), skip_text(*reason, batch.wanted)));
    return true;
  }
  const auto result = worked_on(job, batch, session);
  if (!result) return false;
  add(tally, job.file, *result, session);
  if (!*result) advise(job, batch, result->error(), session);
  return true;
}

/// A source with a hidden name becomes a job under its own name, if it gets that back. Nothing if it is no
/// job then.
std::optional<Job> under_own_name(Job job, const Batch& batch, JobList& jobs, Session& session) {
  if (job.kind != JobKind::hidden_source || !batch.makes_files()) return job;
  const auto own_name = path_of_hidden_source(job.file);
  if (own_name) remove_second_names(*own_name);
  return own_name && named_again(*own_name, session) ? jobs.take_found(*own_name) : std::move(job);
}

}  // namespace

Tally for_each_file(const std::vector<std::string>& files, Session& session,
                    const std::function<Result<Totals>(const std::string&)>& work) {
  Tally tally;
  for (const auto& file : files) {
    const auto result = guarded(work, file);
    if (session.interrupts.requested()) break;  // a signal needs no message
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
  for (auto next = jobs.next(); next && !session.interrupts.requested(); next = jobs.next()) {
    const auto job = under_own_name(*std::move(next), batch, jobs, session);
    if (job && !take(*job, batch, tally, session)) break;
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

NoteCallback notes(Session& session, std::string shown) {
  return [&session, shown = std::move(shown)](std::string_view line) {
    session.log.info(shown + ": " + std::string(line));
  };
}

ExitCode finished(const Status& done, ExitCode so_far, Session& session) {
  if (done || session.interrupts.requested()) return so_far;
  session.log.error(error_text(done.error()));
  return worse(so_far, exit_code(done.error().kind));
}

}  // namespace tdz::app
