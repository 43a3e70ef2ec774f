// SPDX-License-Identifier: Apache-2.0
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>

#include "app/files/input_file.hpp"
#include "app/options/option_values.hpp"
#include "app/reports/progress.hpp"
#include "app/reports/report_output.hpp"
#include "app/roundtrip/file_check.hpp"
#include "app/roundtrip/report.hpp"
#include "app/verbs/file_loop.hpp"
#include "app/verbs/verbs.hpp"
#include "codec/roundtrip/sides.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"

namespace tdz::app {
namespace {

using namespace roundtrip;

/// Those of one thread, in the order in which backends were asked for.
using Sides = std::vector<RoundtripSide>;

constexpr std::uint64_t kUsualChunk = 1u << 20;
constexpr int kLevel = 1;  // the test is about the backends, so zstd may be quick
// After Ctrl-C the report is still written. A second Ctrl-C ends the run at once.
constexpr std::chrono::minutes kPatience{1};

/// Options that were not given stand for everything.
Grid whole_grid(Grid grid) {
  if (grid.words.empty()) grid.words = {1, 2, 4, 8};
  if (grid.tuples.empty()) grid.tuples = {1, 2, 3, 4, 5, 6, 7, 8};
  if (grid.orders.empty()) grid.orders = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  if (grid.layouts.empty()) grid.layouts = *parse_layouts("all");
  if (grid.levels.empty()) grid.levels = {kLevel};
  return grid;
}

std::uint64_t chunk_bytes_of(const RoundtripCommand& command) {
  return command.chunk_bytes != 0 ? command.chunk_bytes : kUsualChunk;
}

/// As many as were asked for, but no more than fit in a modest share of the memory. A thread holds the
/// restored chunk, and for each backend the coded chunk and the memory between the steps in both directions.
unsigned threads_for(const RoundtripCommand& command, std::size_t backends) {
  const std::uint64_t each = (1 + 5 * backends) * chunk_bytes_of(command);
  const auto fitting = std::max<std::uint64_t>(usual_memory() / each, 1);
  return static_cast<unsigned>(std::min<std::uint64_t>(worker_count(command.threads), fitting));
}

/// A side of this backend for each thread: at most so many, and fewer on a device with little memory.
Result<Sides> sides_of(BackendChoice backend, const RoundtripCommand& command, unsigned threads) {
  if (backend == BackendChoice::cuda) return device_sides(command.device, threads, chunk_bytes_of(command));
  Sides sides;
  while (sides.size() < threads) sides.push_back(cpu_side());
  return sides;
}

/// For each thread a side of each of these backends.
Result<std::vector<Sides>> sides_of(std::span<const BackendChoice> backends,
                                    const RoundtripCommand& command) {
  std::vector<Sides> threads(threads_for(command, backends.size()));
  for (const auto backend : backends) {
    auto sides = sides_of(backend, command, static_cast<unsigned>(threads.size()));
    if (!sides) return sides.error();
    threads.resize(std::min(threads.size(), sides->size()));
    for (std::size_t i = 0; i < threads.size(); ++i) threads[i].push_back(std::move((*sides)[i]));
  }
  return threads;
}

/// Of the backends that were asked for, or of all that this machine has.
Result<std::vector<Sides>> sides_for(const RoundtripCommand& command, Session& session) {
  constexpr BackendChoice kAll[] = {BackendChoice::cpu, BackendChoice::cuda};
  if (!command.grid.backends.empty()) return sides_of(command.grid.backends, command);
  auto all = sides_of(kAll, command);
  if (all) return all;
  session.log.info(all.error().message);
  return sides_of(std::span(kAll).first(1), command);
}

class Run {
 public:
  Run(const RoundtripCommand& command, std::vector<Sides> threads, Session& session)
      : command_(command), session_(session) {
    report_.version = version();
    report_.zstd = zstd_version();
    report_.threads = static_cast<unsigned>(threads.size());
    report_.chunk_bytes = chunk_bytes_of(command);
    for (const RoundtripSide& side : threads.front())
      report_.backends.push_back({side.name, side.description});
    const Grid grid = whole_grid(command.grid);
    cells_ = cells_of(codings(grid), grid.levels);
    std::vector<RoundtripTester> testers;
    for (Sides& sides : threads) testers.emplace_back(std::move(sides));
    workers_.emplace(std::move(testers), session.interrupts.token());
  }

  /// The file's part of the report, and its Totals for the tally.
  Result<Totals> check(const std::string& name) {
    FileReport& file = report_.files.emplace_back();
    file.name = name;
    if (auto done = check_cells(file); !done) {
      if (!session_.interrupts.requested()) file.error = done.error();
      return done.error();
    }
    const Counts counts = counts_of(file);
    if (counts.failed == 0) return Totals{file.bytes, 0, file.chunks, 0, {}};
    return Error{ErrorKind::corrupt, fmt::format("{} of {} cells failed", counts.failed, counts.cells)};
  }

  const Report& report() {
    report_.complete = !session_.interrupts.requested();
    return report_;
  }

 private:
  Status check_cells(FileReport& file) {
    auto input = InputFile::open(file.name, command_.force ? UnusualInput::allow : UnusualInput::refuse);
    if (!input) return input.error();
    FdSource source(input->fd(), session_.interrupts);
    ProgressLine line(input->shown(), source.size(),
                      progress_style(command_.reporting, StandardOutput::unused));
    file.cells = cells_;
    const auto chunk = static_cast<std::uint32_t>(report_.chunk_bytes);
    return FileCheck(source, chunk, *workers_).run(file, [&](std::uint64_t done) {
      line.update(done, done);
    });
  }

  const RoundtripCommand& command_;
  Session& session_;
  std::optional<CellWorkers> workers_;
  std::vector<Cell> cells_;
  Report report_;
};

std::string text_of(const Report& report, const RoundtripCommand& command) {
  switch (command.format) {
    case RoundtripFormat::json:
      return json_text(report);
    case RoundtripFormat::junit:
      return junit_text(report);
    case RoundtripFormat::table:
      break;
  }
  return table_text(report, command.reporting.verbose ? CellLines::shown : CellLines::hidden);
}

}  // namespace

ExitCode run(const RoundtripCommand& command, Session& session) {
  session.interrupts.be_patient(kPatience);
  const auto existing = command.force ? ExistingTarget::replace : ExistingTarget::refuse;
  auto output = ReportOutput::open(command.output, existing, {command.files, session.log.file()});
  if (!output) return finished(output.error(), ExitCode::done, session);
  auto sides = sides_for(command, session);
  if (!sides) return finished(sides.error(), ExitCode::done, session);

  Run work(command, *std::move(sides), session);
  const auto tally =
      for_each_file(command.files, session, [&](const std::string& file) { return work.check(file); });
  const auto done = output->write(text_of(work.report(), command), session.interrupts);
  if (done && command.output) session.log.result(counts_text(counts_of(work.report())));
  return finished(done, tally.worst, session);
}

}  // namespace tdz::app
