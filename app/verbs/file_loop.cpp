// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/file_loop.hpp"

#include <spdlog/fmt/fmt.h>

#include <new>
#include <numeric>

#include "app/files/hidden_file.hpp"
#include "app/options/names.hpp"
#include "app/verbs/transfer.hpp"

namespace tdz::app {

// ---- What came of the files

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

/// Why a file was skipped: "the target exists".
std::string_view skip_text(JobKind reason, Wanted wanted) {
  switch (reason) {
    case JobKind::work:
    case JobKind::unreadable:
      break;
    case JobKind::target_exists:
      return "the target exists";
    case JobKind::excluded:
      return "excluded by --exclude";
    case JobKind::wrong_suffix:
      return wanted == Wanted::packed ? "the name does not end in .tdz" : "the name already ends in .tdz";
    case JobKind::leftover:
      return "a temporary file of a killed tdz";
    case JobKind::hidden_source:
      return "a source that a killed tdz --rm left under a hidden name";
    case JobKind::not_regular:
      return "a link, pipe, socket or device";
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

void Tally::add(const std::string& file, const Error& failure) {
  ++files;
  ++failed;
  if (failed_names.size() < kMostNames) failed_names.push_back(file);
  ++failed_by_kind[static_cast<std::size_t>(failure.kind)];
  worst = worse(worst, exit_code(failure.kind));
}

void Tally::add(JobKind reason) {
  ++skipped[static_cast<std::size_t>(reason)];
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
  for (std::size_t reason = 0; reason < kJobKinds; ++reason)
    count(tally.skipped[reason], "skipped", skip_text(JobKind{static_cast<unsigned char>(reason)}, wanted));
  return lines;
}

// ---- The loop

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
  tally.add(file, result.error());
  session.log.error(fmt::format("{}: {}", shown_name(file), error_text(result.error())));
}

/// The kind of the job, now that its target is known.
JobKind kind_of(const Job& job, const Batch& batch) {
  const bool exists = job.kind == JobKind::work && batch.target_exists && batch.target_exists(job.file);
  return exists ? JobKind::target_exists : job.kind;
}

/// Nothing after a signal: it needs no message.
std::optional<Result<Totals>> worked_on(const Job& job, const Batch& batch, Session& session) {
  auto result = job.error ? Result<Totals>(*job.error) : guarded(batch.work, job);
  if (session.interrupts.requested()) return std::nullopt;
  return result;
}

/// The next step after damage. None for standard input, because recover needs a file. None where the error at
/// byte 0 has advice of its own, after a semicolon: the file is empty, of another format, or not known as
/// tdz.
void advise(const Job& job, const Batch& batch, const Error& error, Session& session) {
  const bool has_advice = error.where == 0 && error.message.find(';') != std::string::npos;
  if (!is_damage(error) || has_advice || batch.wanted != Wanted::packed || job.file == kStandardInput) return;
  session.log.warn(
      fmt::format("to save what is left: tdz recover {} -o OUT", printable(shell_word(job.file))));
}

/// False to stop.
bool take(const Job& job, const Batch& batch, Tally& tally, Session& session) {
  if (const JobKind kind = kind_of(job, batch); is_skipped(kind)) {
    tally.add(kind);
    session.log.info(fmt::format("{}: skipped: {}", shown_name(job.file), skip_text(kind, batch.wanted)));
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

std::string healing_text(const Healing& healing, std::string_view did) {
  const std::string lost = format_size(healing.lost_bytes);
  const std::string what =
      healing.lost_bytes == 0 ? "nothing that was damaged"
      : healing.complete()
          ? fmt::format("all of {} that are damaged or lost", lost)
          : fmt::format("{} of {} that are damaged or lost; the rest is more than it protects",
                        format_size(healing.restored_bytes), lost);
  const std::string moved =
      healing.moved_bytes == 0 ? ""
                               : fmt::format("; {} stood in another place", format_size(healing.moved_bytes));
  return fmt::format("parity {} {}{}", did, what, moved);
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
