// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <span>

#include "app/files/failing_disk.hpp"
#include "app/options/names.hpp"
#include "app/reports/report_output.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/transfer.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/decompress.hpp"
#include "codec/json.hpp"

namespace tdz::app {
namespace {

ExistingTarget existing(const RecoverCommand& command) {
  return command.output.force ? ExistingTarget::replace : ExistingTarget::refuse;
}

/// Do both names lead to the same file, even if it does not exist yet?
bool same_target(const std::string& a, const std::string& b) {
  struct stat folder_a {
  }, folder_b{};
  return last_part(a) == last_part(b) && stat(folder_of(a).c_str(), &folder_a) == 0 &&
         stat(folder_of(b).c_str(), &folder_b) == 0 && same_file(folder_a, folder_b);
}

/// Checks the map before the work begins, because it is written last.
Status check_map(const std::string& source, const RecoverCommand& command, const Session& session) {
  if (!command.map) return ok();
  if (command.output.file && same_target(*command.map, *command.output.file))
    return Error{ErrorKind::usage, "--map and -o name the same file, " + printable(*command.map)};
  std::vector<std::string> files = {source};
  if (command.output.file) files.push_back(*command.output.file);
  return ReportOutput::check(*command.map, existing(command), {std::move(files), session.log.file()});
}

Status write_map(const std::string& source, const std::string& text, const RecoverCommand& command,
                 Session& session) {
  auto output = ReportOutput::open(command.map, existing(command), {{source}, session.log.file()});
  if (!output) return output.error();
  return output->write(text, session.interrupts);
}

Json json_of(const MissingRange& range) {
  return {{"offset", range.offset}, {"length", range.length ? Json(*range.length) : Json(nullptr)}};
}

/// The report of --map: schema tdz-recover/1, docs/json.md.
std::string recover_map(const std::string& name, Fill fill, const Recovered& recovered,
                        std::span<const MissingRange> missing) {
  Json ranges = Json::array();
  for (const MissingRange& range : missing) ranges.push_back(json_of(range));
  const Json map = {{"schema", "tdz-recover/1"},
                    {"name", name},
                    {"original_bytes", recovered.original_bytes},
                    {"recovered_bytes", recovered.recovered_bytes},
                    {"chunks", recovered.chunks},
                    {"streams", recovered.streams},
                    {"digests_match", recovered.digests_match},
                    {"fill", fill == Fill::zeros ? "zero" : "skip"},
                    {"parity",
                     {{"protected_bytes", recovered.healing.protected_bytes},
                      {"lost_bytes", recovered.healing.lost_bytes},
                      {"restored_bytes", recovered.healing.restored_bytes},
                      {"moved_bytes", recovered.healing.moved_bytes}}},
                    {"missing", std::move(ranges)}};
  return dump(map, 1) + "\n";
}

/// "bytes 65536 to 131071 are missing (64.0 KiB)", or "from byte 65536 on, an unknown number of bytes is
/// missing".
std::string missing_text(const MissingRange& range) {
  if (!range.length)
    return fmt::format("from byte {} on, an unknown number of bytes is missing", range.offset);
  const std::uint64_t last = range.offset + *range.length - 1;
  return fmt::format("bytes {} to {} are missing ({})", range.offset, last, format_size(*range.length));
}

Status verdict(const Recovered& recovered) {
  if (recovered.complete()) return ok();
  if (!recovered.digests_match) {
    return Error{ErrorKind::corrupt,
                 "every chunk is intact, but the whole does not match the digest at the end of the stream"};
  }
  return Error{
      ErrorKind::corrupt,
      fmt::format("incomplete: {} recovered, {} missing", format_size(recovered.recovered_bytes),
                  recovered.missing_ranges == 1 ? "1 range is"
                                                : fmt::format("{} ranges are", recovered.missing_ranges))};
}

/// What was recovered, and the ranges that are missing.
struct Outcome {
  Recovered recovered;
  std::vector<MissingRange> missing;
};

Result<Outcome> recover_to_target(const std::string& name, RandomAccess& file, Transfer& transfer,
                                  const RecoverCommand& command, Session& session) {
  std::vector<MissingRange> missing;
  RecoverOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.progress = transfer.progress(&Progress::stored_bytes);
  options.missing = [&](const MissingRange& range) { missing.push_back(range); };
  FailingDisk disk(file);
  auto recovered = recover(disk, transfer.sink(), options);
  if (disk.nothing_was_read()) return *disk.first_error();
  if (disk.first_error()) {
    session.log.warn(fmt::format("{}: {} could not be read ({}); they count as damage", shown_name(name),
                                 format_size(disk.unreadable_bytes()), error_text(*disk.first_error())));
  }
  if (!recovered) return recovered.error();
  return Outcome{*recovered, std::move(missing)};
}

/// A complete result is worth a line without -v: the user has to know whether anything is missing.
void log_recovered(const Recovered& recovered, const Transfer& transfer, RandomAccess& file,
                   const RecoverCommand& command, Session& session) {
  const std::string size = format_size(recovered.recovered_bytes);
  if (!recovered.complete()) return session.log.info(fmt::format("{}: {} recovered", transfer.shown(), size));
  const auto streams = inspect(file, {.memory = command.codec.memory});
  const bool is_damaged = !streams && streams.error().kind != ErrorKind::limit;
  const std::string damage =
      !is_damaged ? "" : "; the file itself is damaged: " + error_text(streams.error());
  session.log.result(fmt::format("{}: {} recovered, nothing is missing{}", transfer.shown(), size, damage));
}

bool worth_a_line(const Healing& healing) {
  return healing.lost_bytes + healing.moved_bytes > 0;
}

Status report(const std::string& name, const Outcome& outcome, const Transfer& transfer, RandomAccess& file,
              const RecoverCommand& command, Session& session) {
  if (const Healing& healing = outcome.recovered.healing; worth_a_line(healing))
    session.log.result(fmt::format("{}: {}", shown_name(name), healing_text(healing, "brought back")));
  for (const MissingRange& range : outcome.missing)
    session.log.result(fmt::format("{}: {}", shown_name(name), missing_text(range)));
  log_recovered(outcome.recovered, transfer, file, command, session);
  if (!command.map) return ok();
  return write_map(name, recover_map(name, command.codec.fill, outcome.recovered, outcome.missing), command,
                   session);
}

/// Only what decodes is healed. What goes to standard output cannot be read back.
Result<Totals> verify_healed(const Transfer& transfer, const RecoverCommand& command, Session& session) {
  if (!transfer.makes_file()) return Totals{};
  auto written = transfer.written();
  if (!written) return written.error();
  return verify_stream(*written, {.memory = command.codec.memory, .stop = session.interrupts.token()});
}

/// --archive: the file itself.
Result<Totals> heal_file(const std::string& name, RandomAccess& file, Transfer& transfer,
                         const RecoverCommand& command, Session& session) {
  HealOptions options{.memory = command.codec.memory, .stop = session.interrupts.token()};
  options.progress = transfer.progress(&Progress::stored_bytes);
  FailingDisk disk(file);
  const auto healing = heal(disk, transfer.sink(), options);
  if (!healing) return healing.error();
  if (healing->protected_bytes == 0)
    return Error{ErrorKind::usage, "no parity was found in it; leave out --archive to save what is left"};
  const auto good = verify_healed(transfer, command, session);
  if (!good && !is_damage(good.error())) return good.error();
  if (auto done = transfer.finish(); !done) return done.error();
  if (worth_a_line(*healing))
    session.log.result(fmt::format("{}: {}", shown_name(name), healing_text(*healing, "brought back")));
  if (!good)
    return Error{good.error().kind, "parity could not bring back everything: " + error_text(good.error())};
  return *good;
}

Result<Totals> recover_file(const std::string& name, const RecoverCommand& command, Session& session) {
  if (auto done = check_map(name, command, session); !done) return done.error();
  const Content content = command.archive ? Content::compressed : Content::restored;
  auto opened =
      Transfer::open({name, command.output.file, content}, command.output, command.reporting, session);
  if (!opened) return opened.error();
  Transfer& transfer = **opened;
  auto file = transfer.whole_source();
  if (!file) return file.error();
  if (command.archive) return heal_file(name, *file, transfer, command, session);
  const auto outcome = recover_to_target(name, *file, transfer, command, session);
  if (!outcome) return outcome.error();
  if (auto done = transfer.finish(); !done) return done.error();
  if (auto done = report(name, *outcome, transfer, *file, command, session); !done) return done.error();
  const Recovered& recovered = outcome->recovered;
  if (auto done = verdict(recovered); !done) return done.error();
  return Totals{recovered.original_bytes, file->size(), recovered.chunks, recovered.streams, {}};
}

}  // namespace

ExitCode run(const RecoverCommand& command, Session& session) {
  return for_each_file(command.files, session,
                       [&](const std::string& file) { return recover_file(file, command, session); })
      .worst;
}

}  // namespace tdz::app
