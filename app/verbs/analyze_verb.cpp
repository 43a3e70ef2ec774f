// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <utility>

#include "app/estimate/estimate.hpp"
#include "app/estimate/sampling.hpp"
#include "app/files/fd.hpp"
#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/reports/analysis.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

/// Writes the reports of the files one after another, as text or as one JSON document.
class AnalysisReport {
 public:
  AnalysisReport(TextOutput& out, bool json) : out_(out), json_(json), screen_(screen_of(STDOUT_FILENO)) {}

  Status begin() { return json_ ? out_.put(R"({"schema":"tdz-analysis/1","files":[)") : ok(); }
  Status add(const FileAnalysis& file) {
    return put(json_ ? analysis_json(file) : analysis_text(file, screen_));
  }
  /// A file that cannot be read is still listed in the JSON document.
  Status add(const std::string& name, const Error& error) {
    return json_ ? put(analysis_json(name, error)) : ok();
  }
  Status end() {
    if (auto done = json_ ? out_.put("\n]}\n") : ok(); !done) return done;
    return out_.flush();
  }

 private:
  Status put(const std::string& text) {
    const bool first = std::exchange(first_, false);
    const std::string_view before = json_ ? (first ? "\n" : ",\n") : (first ? "" : "\n");
    if (auto done = out_.put(before); !done) return done;
    return out_.put(text);
  }

  TextOutput& out_;
  bool json_;
  Screen screen_;
  bool first_ = true;
};

Result<Analysis> analyze_file(const std::string& name, const AnalyzeCommand& command, Session& session) {
  auto input = InputFile::open(name, command.force ? UnusualInput::allow : UnusualInput::refuse);
  if (!input) return input.error();
  FdSource source(input->fd(), session.interrupts);
  CompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  return analyze(source, options);
}

Result<Totals> report_file(const std::string& name, const AnalyzeCommand& command, AnalysisReport& report,
                           Session& session) {
  auto analysis = analyze_file(name, command, session);
  auto done = analysis ? report.add({name, *analysis, command.codec}) : report.add(name, analysis.error());
  if (!done) return done.error();
  if (!analysis) return analysis.error();
  return Totals{};
}

// ---- Many files: an estimate from samples

/// Counts a file, and does not open it. Errors: usage (no regular file), io.
Result<Totals> count_file(const Job& job, Survey& survey) {
  struct stat status {};
  const bool follow = job.links == Links::follow;
  if ((follow ? stat(job.file.c_str(), &status) : lstat(job.file.c_str(), &status)) != 0)
    return io_error(errno);
  if (!S_ISREG(status.st_mode))
    return Error{ErrorKind::usage, "an estimate needs regular files; analyze this one without -r"};
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  survey.add({job.file, bytes, job.links});
  return Totals{.original_bytes = bytes};
}

ExitCode estimate_files(const AnalyzeCommand& command, Session& session) {
  Survey survey;
  const Batch batch{.files = command.files,
                    .selection = command.selection,
                    .wanted = Wanted::unpacked,
                    .work = [&](const Job& job) { return count_file(job, survey); }};
  Tally tally = for_each_file(batch, session);
  if (session.interrupts.requested()) return tally.worst;
  const std::vector<Kind> kinds = std::move(survey).take();
  const auto folder = estimate(kinds, command, tally, session);
  if (!folder) return finished(folder.error(), tally.worst, session);
  TextOutput out(session.interrupts);
  auto done =
      out.put(command.json ? estimate_json(*folder) : estimate_text(*folder, screen_of(STDOUT_FILENO)));
  if (done) done = out.flush();
  return finished(done, tally.worst, session);
}

ExitCode estimate_in_bounds(const AnalyzeCommand& command, Session& session) {
  try {
    return estimate_files(command, session);
  } catch (const std::bad_alloc&) {
    return finished(Error{ErrorKind::limit, "out of memory"}, ExitCode::done, session);
  }
}

}  // namespace

ExitCode run(const AnalyzeCommand& command, Session& session) {
  if (command.selection.looks_for_files()) return estimate_in_bounds(command, session);
  TextOutput out(session.interrupts);
  AnalysisReport report(out, command.json);
  if (auto done = report.begin(); !done) return finished(done, ExitCode::done, session);
  const auto tally = for_each_file(command.files, session, [&](const std::string& file) {
    return report_file(file, command, report, session);
  });
  return finished(report.end(), tally.worst, session);
}

}  // namespace tdz::app
