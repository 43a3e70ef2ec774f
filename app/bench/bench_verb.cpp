// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "app/bench/report/doubts.hpp"
#include "app/bench/report/facts.hpp"
#include "app/bench/report/render.hpp"
#include "app/bench/run.hpp"
#include "app/bench/subjects.hpp"
#include "app/reports/progress.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz::app {
namespace {

using namespace bench;

/// A backend that is missing ends the run before it measures anything.
Status check_backends(const BenchCommand& command) {
  const bool cuda = std::ranges::find(command.grid.backends, BackendChoice::cuda) != command.grid.backends.end();
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
