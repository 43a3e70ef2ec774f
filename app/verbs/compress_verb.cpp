// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <system_error>

#include "app/files/targets.hpp"
#include "app/options/names.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/transfer.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/decompress.hpp"

namespace tdz::app {
namespace {

constexpr int kFirstRiskyLevel = 13;  // with the zstd versions that zstd_warning() names

std::string sizes_text(std::uint64_t original, std::uint64_t stored) {
  return fmt::format("{} -> {}, ratio {}", format_size(original), format_size(stored),
                     ratio_text(original, stored));
}

/// Decodes the result before it has a name. It may use as much memory as compressing did.
Status verify_written(const Transfer& transfer, const Totals& expected, const CompressCommand& command,
                      Session& session) {
  auto source = transfer.written();
  if (!source) return source.error();
  DecompressOptions options;
  options.threads = command.codec.threads;
  options.memory =
      command.codec.memory != 0 ? command.codec.memory : std::numeric_limits<std::uint64_t>::max();
  options.backend = command.codec.backend;
  options.device = command.codec.device;
  options.warn = warnings(session);
  options.stop = session.interrupts.token();
  const auto done = verify_against(*source, expected, std::move(options));
  if (done) return done;
  return Error{done.error().kind, "verification failed: " + error_text(done.error())};
}

/// A result that would be compressed again, as with tdz * in a folder of results. -f, -o and -c say that it
/// is meant. gzip and xz leave such a file alone too, and their exit status says so.
Status check_is_no_result(const std::string& file, const OutputOptions& output) {
  std::error_code ignored;
  if (output.force || output.file || output.to_stdout || !is_packed_name(last_part(file)) ||
      !std::filesystem::is_regular_file(file, ignored))
    return ok();
  return usage("skipped, because the name already ends in .tdz; -d restores it, -f compresses it again");
}

/// What was done as it was asked for, but is probably not what was meant.
void warn_of_mistakes(const std::string& file, const CompressCommand& command, const Totals& totals,
                      Session& session) {
  if (is_packed_name(last_part(file)))
    session.log.warn(shown_name(file) + ": the name already ends in .tdz; it was compressed again");
  if (command.codec.raw_prefix > totals.original_bytes)
    session.log.warn(fmt::format("{}: --offset {} is beyond the end of {}; all of it was taken for a header",
                                 shown_name(file), command.codec.raw_prefix,
                                 format_size(totals.original_bytes)));
}

/// Said where frames for a GPU were asked for, or taken.
std::string frames_text(const Totals& totals, bool asked) {
  if (totals.gpu_chunks == 0) return asked ? ", general frames" : "";
  if (totals.gpu_chunks == totals.chunks) return ", frames for a GPU";
  return fmt::format(", frames for a GPU in {} of {} chunks", totals.gpu_chunks, totals.chunks);
}

/// What the files of a job had in common so far, by the suffix of their names.
class PlansOfSuffixes {
 public:
  PlanCache& of(const std::string& file) {
    const std::string suffix = std::filesystem::path(file).extension().string();
    if (plans_.size() == kMostSuffixes && plans_.count(suffix) == 0) forget_one();
    return plans_[suffix];
  }
  std::uint64_t taken() const {
    std::uint64_t sum = forgotten_;
    for (const auto& [suffix, plans] : plans_) sum += plans.taken();
    return sum;
  }

 private:
  static constexpr std::size_t kMostSuffixes = 32;  // names may end in numbers: memory is bounded

  void forget_one() {
    forgotten_ += plans_.begin()->second.taken();
    plans_.erase(plans_.begin());
  }

  std::map<std::string, PlanCache> plans_;
  std::uint64_t forgotten_ = 0;
};

Result<Totals> compress_file(const Job& job, Targets& targets, const CompressCommand& command,
                             PlansOfSuffixes* plans, Session& session) {
  if (auto done = check_is_no_result(job.file, command.output); !done) return done.error();
  const auto target = targets.target_for(job.file);
  if (!target) return target.error();
  auto opened = Transfer::open({job.file, *target, Content::compressed, job.links, targets.tree()},
                               command.output, command.reporting, session);
  if (!opened) return opened.error();
  Transfer& transfer = **opened;
  if (command.verify && !transfer.makes_file())
    return Error{ErrorKind::usage,
                 "--verify needs a result that can be read back; use -o with the name of a file"};

  CompressOptions options = command.codec;
  options.stop = session.interrupts.token();
  options.warn = warnings(session);
  options.note = notes(session, transfer.shown());
  options.progress = transfer.progress(&Progress::original_bytes);
  if (plans != nullptr) options.plans = &plans->of(job.file);
  auto totals = compress(transfer.source(), transfer.sink(), options);
  if (!totals) return totals;
  if (command.verify) {
    if (auto done = verify_written(transfer, *totals, command, session); !done) return done.error();
  }
  if (auto done = transfer.finish(); !done) return done.error();
  warn_of_mistakes(job.file, command, *totals, session);
  session.log.info(fmt::format("{}: {}{}", transfer.shown(),
                               sizes_text(totals->original_bytes, totals->stored_bytes),
                               frames_text(*totals, command.codec.gpu)));
  return totals;
}

void log_remarks(const CompressCommand& command, Session& session) {
  if (command.codec.level >= kFirstRiskyLevel && !zstd_warning().empty()) session.log.warn(zstd_warning());
}

}  // namespace

ExitCode run(const CompressCommand& command, Session& session) {
  log_remarks(command, session);
  auto targets = Targets::open(command.output, [](std::string_view file) { return packed_name(file); });
  if (!targets) return finished(targets.error(), ExitCode::done, session);
  const bool several = command.files.size() > 1 || command.selection.looks_for_files();
  PlansOfSuffixes plans;
  PlansOfSuffixes* remembered = several && !command.independent ? &plans : nullptr;
  const Batch batch{
      command.files,
      command.selection,
      Wanted::unpacked,
      targets->folder(),
      [&](const std::string& file) { return targets->exists(file); },
      [&](const Job& job) { return compress_file(job, *targets, command, remembered, session); }};
  const auto tally = for_each_file(batch, session);
  log_summary(tally, sizes_text(tally.original_bytes, tally.stored_bytes), batch, session);
  if (plans.taken() != 0)
    session.log.info(fmt::format("{} of them with the steps of an earlier file", plans.taken()));
  return tally.worst;
}

}  // namespace tdz::app
