// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include "app/file_loop.hpp"
#include "app/names.hpp"
#include "app/sizes.hpp"
#include "app/transfer.hpp"
#include "app/verbs.hpp"

namespace tdz::app {
namespace {

std::string sizes_text(std::uint64_t stored, std::uint64_t original) {
  return fmt::format("{} -> {}", format_size(stored), format_size(original));
}

Result<Totals> decompress_file(const std::string& name, const DecompressCommand& command, Session& session) {
  const auto target = target_for(name, command.output, restored_name);
  if (!target) return target.error();
  auto transfer =
      Transfer::open({name, *target, Content::restored}, command.output, command.reporting, session);
  if (!transfer) return transfer.error();
  Transfer& way = **transfer;

  DecompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.warn = warnings(session);
  options.progress = way.progress(&Progress::stored_bytes);
  auto totals = decompress(way.source(), way.sink(), options);
  if (!totals) return totals;
  if (auto done = way.finish(); !done) return done.error();
  session.log.info(
      fmt::format("{}: {}", way.shown(), sizes_text(totals->stored_bytes, totals->original_bytes)));
  return totals;
}

}  // namespace

ExitCode run(const DecompressCommand& command, Session& session) {
  const auto tally = for_each_file(command.files, session, [&](const std::string& file) {
    return decompress_file(file, command, session);
  });
  log_summary(tally, sizes_text(tally.stored_bytes, tally.original_bytes), session);
  return tally.worst;
}

}  // namespace tdz::app
