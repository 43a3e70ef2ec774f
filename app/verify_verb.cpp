// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/fd_io.hpp"
#include "app/file_loop.hpp"
#include "app/input_file.hpp"
#include "app/progress.hpp"
#include "app/sizes.hpp"
#include "app/verbs.hpp"
#include "codec/verification.hpp"

namespace tdz::app {
namespace {

Result<Totals> verify_file(const std::string& name, const VerifyCommand& command, Session& session) {
  auto input = InputFile::open(name, command.force ? UnusualInput::allow : UnusualInput::refuse);
  if (!input) return input.error();
  FdSource source(input->fd(), session.interrupts);
  ProgressLine line(input->shown(), source.size(), progress_style(command.reporting, StandardOutput::unused));

  DecompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.warn = warnings(session);
  options.progress = [&line](const Progress& now) { line.update(now.stored_bytes, now.original_bytes); };
  auto totals = verify_stream(source, std::move(options));
  line.erase();
  if (totals)
    session.log.info(fmt::format("{}: good, {}", input->shown(), format_size(totals->original_bytes)));
  return totals;
}

}  // namespace

ExitCode run(const VerifyCommand& command, Session& session) {
  const auto tally = for_each_file(
      command.files, session, [&](const std::string& file) { return verify_file(file, command, session); });
  log_summary(tally, "good, " + format_size(tally.original_bytes), session);
  return tally.worst;
}

}  // namespace tdz::app
