// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <system_error>

#include "app/files/input_file.hpp"
#include "app/files/targets.hpp"
#include "app/options/names.hpp"
#include "app/options/sizes.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/transfer.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/pipe/pipeline.hpp"

namespace tdz::app {
namespace {

std::string sizes_text(std::uint64_t stored, std::uint64_t original) {
  return fmt::format("{} -> {}", format_size(stored), format_size(original));
}

/// Faults of mapped pages cost more than the lock that write() takes, unless many threads share them. Beside a GPU
/// threads have little else to do. Measured with 4, 8 and 16 threads on 16 cores (docs/performance.md). A limit of
/// memory has no room for mapped pages.
bool are_many_writers(const DecompressOptions& codec) {
  return codec.memory == 0 && worker_count(codec.threads) >= (codec.backend == BackendChoice::cuda ? 8u : 16u);
}

Result<Totals> decompress_file(const Job& job, Targets& targets, const DecompressCommand& command,
                               Session& session) {
  // That it is a folder says more than that its name does not end in .tdz.
  std::error_code ignored;
  if (std::filesystem::is_directory(job.file, ignored)) {
    if (auto input = InputFile::open(job.file, UnusualInput::refuse, job.links); !input) return input.error();
  }
  const auto target = targets.target_for(job.file);
  if (!target) return target.error();
  auto opened = Transfer::open({job.file, *target, Content::restored, job.links, targets.tree(),
                                are_many_writers(command.codec)},
                               command.output, command.reporting, session);
  if (!opened) return opened.error();
  Transfer& transfer = **opened;

  DecompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.warn = warnings(session);
  options.note = notes(session, transfer.shown());
  options.progress = transfer.progress(&Progress::stored_bytes);
  auto totals = decompress(transfer.source(), transfer.sink(), options);
  if (!totals) return totals;
  if (auto done = transfer.finish(); !done) return done.error();
  session.log.info(
      fmt::format("{}: {}", transfer.shown(), sizes_text(totals->stored_bytes, totals->original_bytes)));
  return totals;
}

}  // namespace

ExitCode run(const DecompressCommand& command, Session& session) {
  auto targets = Targets::open(command.output, restored_name);
  if (!targets) return finished(targets.error(), ExitCode::done, session);
  const Batch batch{command.files,
                    command.selection,
                    Wanted::packed,
                    targets->folder(),
                    [&](const std::string& file) { return targets->exists(file); },
                    [&](const Job& job) { return decompress_file(job, *targets, command, session); }};
  const auto tally = for_each_file(batch, session);
  log_summary(tally, sizes_text(tally.stored_bytes, tally.original_bytes), batch, session);
  return tally.worst;
}

}  // namespace tdz::app
