// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "app/files/fd_io.hpp"
#include "app/files/input_file.hpp"
#include "app/options/names.hpp"
#include "app/reports/progress.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/decompress.hpp"

namespace tdz::app {
namespace {

/// What could still be lost, by the stream that could lose least.
std::string protection_text(RandomAccess& file) {
  const auto streams = inspect(file);
  if (!streams || streams->empty()) return "";
  std::uint64_t least = ~std::uint64_t{0};
  for (const StreamInfo& stream : *streams)
    least = std::min(least, stream.protection ? stream.protection->hole_bytes() : 0);
  return least == 0 ? "" : fmt::format(", parity for a hole of {}", format_size(least));
}

/// Says what parity could bring back of a damaged file.
void report_parity(const std::string& shown, RandomAccess& file, const VerifyCommand& command,
                   Session& session) {
  const auto found = examine(file, {.memory = command.codec.memory, .stop = session.interrupts.token()});
  if (!found || found->lost_bytes + found->moved_bytes == 0) return;
  session.log.warn(fmt::format("{}: {}", shown, healing_text(*found, "can bring back")));
}

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
  RandomAccess* file = source.random_access();
  if (totals) {
    session.log.info(fmt::format("{}: good, {}{}", input->shown(), format_size(totals->original_bytes),
                                 file != nullptr ? protection_text(*file) : ""));
  } else if (file != nullptr && is_damage(totals.error())) {
    report_parity(input->shown(), *file, command, session);
  }
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
