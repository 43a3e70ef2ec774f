// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/options/sizes.hpp"
#include "app/reports/progress.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/decompress.hpp"

namespace tdz::app {
namespace {

Result<Totals> verify_file(const Job& job, const VerifyCommand& command, Session& session) {
  auto input =
      InputFile::open(job.file, command.force ? UnusualInput::allow : UnusualInput::refuse, job.links);
  if (!input) return input.error();
  FdSource source(input->fd(), session.interrupts);
  ProgressLine line(input->shown(), source.size(), progress_style(command.reporting, StandardOutput::unused));

  DecompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.warn = warnings(session);
  options.note = notes(session, input->shown());
  options.progress = [&line](const Progress& now) { line.update(now.stored_bytes, now.original_bytes); };
  auto totals = verify_stream(source, std::move(options));
  line.erase();
  if (totals)
    session.log.info(fmt::format("{}: good, {}", input->shown(), format_size(totals->original_bytes)));
  return totals;
}

}  // namespace

ExitCode run(const VerifyCommand& command, Session& session) {
  const Batch batch{.files = command.files, .selection = command.selection, .work = [&](const Job& job) {
                      return verify_file(job, command, session);
                    }};
  const auto tally = for_each_file(batch, session);
  log_summary(tally, "good, " + format_size(tally.original_bytes), batch, session);
  return tally.worst;
}

}  // namespace tdz::app
