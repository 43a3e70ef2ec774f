// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <utility>

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

}  // namespace

ExitCode run(const AnalyzeCommand& command, Session& session) {
  TextOutput out(session.interrupts);
  AnalysisReport report(out, command.json);
  if (auto done = report.begin(); !done) return finished(done, ExitCode::done, session);
  const auto tally = for_each_file(command.files, session, [&](const std::string& file) {
    return report_file(file, command, report, session);
  });
  return finished(report.end(), tally.worst, session);
}

}  // namespace tdz::app
