// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <span>
#include <system_error>

#include "app/files/input_file.hpp"
#include "app/files/targets.hpp"
#include "app/options/names.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/transfer.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_input.hpp"

namespace tdz::app {
namespace {

std::string restored_text(std::uint64_t stored, std::uint64_t original) {
  return fmt::format("{} -> {}", format_size(stored), format_size(original));
}

/// Faults of mapped pages cost more than the lock that write() takes, unless many threads share them. Beside
/// a GPU threads have little else to do. Measured with 4, 8 and 16 threads on 16 cores
/// (docs/notes/gpu-tables.md, whole files). A limit of memory has no room for mapped pages.
bool are_many_writers(const DecompressOptions& codec) {
  return codec.memory == 0 &&
         worker_count(codec.threads) >= (codec.backend == BackendChoice::cuda ? 8u : 16u);
}

/// Why a file whose name gives no result cannot be restored. That it is a folder, or a file of another
/// compressor, says more than that its name does not end in .tdz.
Error error_of_name(const Job& job, const Error& error) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(job.file, ignored).type();
  if (kind != std::filesystem::file_type::directory && kind != std::filesystem::file_type::regular)
    return error;
  const auto input = InputFile::open(job.file, UnusualInput::refuse, job.links);
  if (!input) return input.error();
  std::array<std::byte, 32> head{};
  const ssize_t came = pread(input->fd(), head.data(), head.size(), 0);
  const auto foreign = foreign_format(std::span(head).first(came > 0 ? static_cast<std::size_t>(came) : 0));
  return foreign.empty() ? error : corrupt(std::string(foreign), 0);
}

Result<Totals> decompress_file(const Job& job, Targets& targets, const DecompressCommand& command,
                               Session& session) {
  const auto target = targets.target_for(job.file);
  if (!target) return error_of_name(job, target.error());
  auto opened = Transfer::open(
      {job.file, *target, Content::restored, job.links, targets.tree(), are_many_writers(command.codec)},
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
      fmt::format("{}: {}", transfer.shown(), restored_text(totals->stored_bytes, totals->original_bytes)));
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
  log_summary(tally, restored_text(tally.stored_bytes, tally.original_bytes), batch, session);
  return tally.worst;
}

}  // namespace tdz::app
