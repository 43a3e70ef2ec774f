// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <filesystem>

#include "app/options/names.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/transfer.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/decompress.hpp"

namespace tdz::app {
namespace {

/// A link stays: what it leads to is replaced.
std::string target_of(const std::string& file, const ProtectCommand& command) {
  if (command.output.file) return *command.output.file;
  std::error_code ignored;
  const auto path = std::filesystem::canonical(file, ignored);
  return ignored ? file : path.string();
}

/// The copy takes the place of what may be the only one, so it is read back first. All of its chunks have
/// digests; the whole may have none.
Status verify_copy(const Transfer& transfer, const Totals& expected, const ProtectCommand& command,
                   Session& session) {
  if (!transfer.makes_file()) return ok();
  auto written = transfer.written();
  if (!written) return written.error();
  const auto found = verify_stream(
      *written,
      {.threads = command.codec.threads, .memory = command.codec.memory, .stop = session.interrupts.token()});
  if (!found) return Error{found.error().kind, "verification failed: " + error_text(found.error())};
  if (found->original_bytes == expected.original_bytes && found->chunks == expected.chunks) return ok();
  return Error{ErrorKind::io, "verification failed: other bytes were read back than were written"};
}

Result<Totals> protect_file(const Job& job, const ProtectCommand& command, Session& session) {
  TransferPlan plan{job.file, target_of(job.file, command), Content::compressed, job.links};
  plan.in_place = !command.output.file;
  plan.verb = "protect";
  auto opened = Transfer::open(plan, command.output, command.reporting, session);
  if (!opened) return opened.error();
  Transfer& transfer = **opened;
  auto file = transfer.whole_source();
  if (!file) return file.error();
  ProtectOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.progress = transfer.progress(&Progress::stored_bytes);
  auto totals = protect(*file, transfer.sink(), options);
  if (!totals) return totals;
  if (auto done = verify_copy(transfer, *totals, command, session); !done) return done.error();
  if (auto done = transfer.finish(); !done) return done.error();
  session.log.info(
      fmt::format("{}: {} -> {}, {} % of parity", plan.in_place ? shown_name(job.file) : transfer.shown(),
                  format_size(file->size()), format_size(totals->stored_bytes), command.codec.percent));
  return totals;
}

}  // namespace

ExitCode run(const ProtectCommand& command, Session& session) {
  const Batch batch{.files = command.files, .selection = command.selection, .work = [&](const Job& job) {
                      return protect_file(job, command, session);
                    }};
  const auto tally = for_each_file(batch, session);
  log_summary(tally, "protected, " + format_size(tally.stored_bytes), batch, session);
  return tally.worst;
}

}  // namespace tdz::app
