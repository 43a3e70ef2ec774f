// SPDX-License-Identifier: Apache-2.0
// `tdz bench`: looks at its files, makes a plan, carries it out, and writes the report.
#include <spdlog/fmt/fmt.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "app/bench/plan.hpp"
#include "app/bench/report/figures.hpp"
#include "app/bench/report/render.hpp"
#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/options/number_options.hpp"
#include "app/reports/progress.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"
#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz::app {
namespace {

using namespace bench;

/// The word, tuple and layout of a plan that may have more than parameters can say. The benchmark's cells are
/// parameters, so they show the plan's first shape.
formats::Parameters first_shape(const tdz::Plan& plan) {
  if (const auto said = formats::exact_parameters_of(plan)) return *said;
  const Column& column = plan.columns.front();
  if (plan.columns.size() > 1 || (column.width & (column.width - 1)) != 0) return {};
  auto shape = formats::parameters_of(column);
  shape.tuple = shortest_tuple(column);
  if (tokens_of(column) != nullptr) shape.layout = Layout::planes;
  return shape;
}

/// The type that compress would choose.
Status find_type(Subject& subject, FdSource& source, Session& session) {
  CompressOptions options;
  options.search.emplace();
  options.stop = session.interrupts.token();
  const auto analysis = analyze(source, options);
  if (!analysis) return analysis.error();
  const auto found = first_shape(analysis->chosen.front());
  const auto named = formats::parse_type(analysis->type);
  const bool same = named && named->word == found.word && named->tuple == found.tuple;
  subject.type = {same ? named->kind : '\0', found.word, found.tuple};
  subject.layout = found.layout;
  if (!step_options(analysis->chosen.front())) subject.chosen = formats::plan_name(analysis->chosen.front());
  return ok();
}

/// The length of a file, and its word, tuple and layout: those of the command, or those that compress would
/// choose. Errors: usage (no regular file, or an empty one), io.
Result<Subject> look_at(const std::string& file, const BenchCommand& command, Session& session) {
  auto input = InputFile::open(file, UnusualInput::refuse);
  if (!input) return input.error();
  if (!S_ISREG(input->status().st_mode))
    return Error{ErrorKind::usage, "bench reads a FILE several times; save this input to a file first"};
  auto bytes = FdRandomAccess::open(input->fd());
  if (!bytes) return bytes.error();
  if (bytes->size() == 0) return Error{ErrorKind::usage, "the file is empty, there is nothing to measure"};
  Subject subject{.name = file, .made = {}, .type = command.type.value_or(NumberType{})};
  subject.bytes = bytes->size();
  if (command.type) return subject;
  FdSource source(input->fd(), session.interrupts);
  if (auto done = find_type(subject, source, session); !done) return done.error();
  return subject;
}

/// The first `subject.bytes` bytes of a file. Error io.
Result<std::vector<std::byte>> load(const Subject& subject) {
  auto input = InputFile::open(subject.name, UnusualInput::refuse);
  if (!input) return input.error();
  auto file = FdRandomAccess::open(input->fd());
  if (!file) return file.error();
  std::vector<std::byte> bytes(static_cast<std::size_t>(subject.bytes));
  if (auto done = file->read_at(0, bytes); !done) return done.error();
  return bytes;
}

/// A backend that is missing ends the run before it measures anything.
Status check_backends(const BenchCommand& command) {
  const bool cuda =
      std::ranges::find(command.grid.backends, BackendChoice::cuda) != command.grid.backends.end();
  return cuda ? check_device(command.device) : ok();
}

/// The files that can be measured. The log names the others.
std::vector<Subject> subjects_of(const BenchCommand& command, Session& session, ExitCode& worst) {
  std::vector<Subject> list;
  const auto tally = for_each_file(command.files, session, [&](const std::string& file) -> Result<Totals> {
    auto subject = look_at(file, command, session);
    if (!subject) return subject.error();
    list.push_back(*std::move(subject));
    return Totals{};
  });
  worst = tally.worst;
  return list;
}

Result<Outcome> measure(const Plan& plan, const BenchCommand& command, Session& session) {
  ProgressLine line("tdz bench", plan.cells(), progress_style(command.reporting, StandardOutput::unused));
  auto outcome = carry_out(
      plan, {session.interrupts.token(), load, [&](std::size_t done) { line.update(done, std::nullopt); }});
  if (!outcome) return outcome;
  outcome->report.command_line = command.command_line;
  for (std::string& doubt : doubts(outcome->report)) outcome->report.remarks.push_back(std::move(doubt));
  return outcome;
}

Status report_of(const Plan& plan, const BenchCommand& command, ReportOutput& target, Session& session) {
  auto outcome = measure(plan, command, session);
  if (!outcome) return outcome.error();
  const Report& report = outcome->report;
  const Screen screen = screen_of(command.output ? -1 : STDOUT_FILENO);
  if (auto done = target.write(render(report, command.format, screen), session.interrupts); !done)
    return done;
  const std::size_t wrong = faults(report).size();
  if (wrong == 0) return std::move(outcome->end);
  return Error{ErrorKind::corrupt,
               fmt::format("{} of the measured cells gave wrong bytes; the report names them", wrong)};
}

}  // namespace

ExitCode run(const BenchCommand& command, Session& session) {
  // Ctrl-C ends the run after the current cell, and the report is written. A second Ctrl-C ends it at once.
  session.interrupts.be_patient(std::chrono::minutes(1));
  const auto existing = command.force ? ExistingTarget::replace : ExistingTarget::refuse;
  auto target = ReportOutput::open(command.output, existing, {command.files, session.log.file()});
  if (!target) return finished(target.error(), ExitCode::done, session);
  if (auto done = check_backends(command); !done) return finished(done, ExitCode::done, session);
  ExitCode worst = ExitCode::done;
  const auto files = subjects_of(command, session, worst);
  if (session.interrupts.requested() || (files.empty() && !command.files.empty())) return worst;
  auto plan = make_plan(command, files);
  if (!plan) return finished(plan.error(), worst, session);
  return finished(report_of(*plan, command, *target, session), worst, session);
}

}  // namespace tdz::app
