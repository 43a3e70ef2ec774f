// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/file_check.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/pipeline.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::roundtrip {

// ---- The cells of a chunk

/// One call of check.
struct CellWorkers::Task {
  PlacedChunk chunk;
  std::span<Cell> cells;
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::optional<Error> error;
};

CellWorkers::CellWorkers(std::vector<RoundtripTester> testers, std::stop_token stop)
    : testers_(std::move(testers)), stop_(std::move(stop)) {}

Status CellWorkers::check(const PlacedChunk& chunk, std::span<Cell> cells,
                          const std::function<void(std::size_t)>& progress) {
  Task task;
  task.chunk = chunk;
  task.cells = cells;
  const std::size_t most = std::clamp<std::size_t>(cells.size(), 1, testers_.size());
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t i = 1; i < most; ++i) {
        helpers.emplace_back([this, &task, i] { work(task, testers_[i], nullptr); });
      }
    } catch (const std::system_error&) {  // the threads that exist do all the work
    }
    work(task, testers_.front(), &progress);
  }
  if (task.error) return *std::move(task.error);
  return stop_.stop_requested() ? Status(Error{ErrorKind::cancelled, "stopped"}) : ok();
}

void CellWorkers::work(Task& task, RoundtripTester& tester,
                       const std::function<void(std::size_t)>* progress) {
  while (!task.failed && !stop_.stop_requested()) {
    const std::size_t index = task.next++;
    if (index >= task.cells.size()) return;
    if (auto done = check_cell(task, task.cells[index], tester); !done) fail(task, std::move(done).error());
    const std::size_t done = ++task.done;
    if (progress != nullptr) (*progress)(done);
  }
}

/// No other thread touches this cell.
Status CellWorkers::check_cell(const Task& task, Cell& cell, RoundtripTester& tester) const try {
  if (!cell.failures.empty()) return ok();
  auto outcome = tester.test(task.chunk, formats::plan_of(formats::column_of(cell.coding)), cell.level);
  if (!outcome) return outcome.error();
  cell.failures = std::move(outcome->failures);
  cell.bytes += task.chunk.bytes.size();
  cell.packed_bytes += outcome->packed_bytes;
  return ok();
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

void CellWorkers::fail(Task& task, Error error) {
  const std::lock_guard lock(task.mutex);
  if (!task.error) task.error = std::move(error);
  task.failed = true;
}

// ---- The chunks of a file

namespace {

/// The first recipe asks for whole words. Otherwise the numbers of later chunks would not be those of the
/// file.
CutRules rules_for(std::span<const Cell> cells, std::uint32_t chunk_bytes) {
  CompressOptions options;
  options.chunk_bytes = chunk_bytes;
  std::vector<Recipe> recipes(1);
  for (const Cell& cell : cells) {
    Column& words = recipes.front().plan.columns.front();
    words.width = std::max(words.width, cell.coding.word);
    recipes.push_back({formats::plan_of(formats::column_of(cell.coding)), {}, {}});
  }
  return cut_rules(options, recipes);
}

bool any_left(std::span<const Cell> cells) {
  return std::ranges::any_of(cells, [](const Cell& cell) { return cell.failures.empty(); });
}

/// Adds the duration of a scope to a number.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

std::vector<Cell> cells_of(std::span<const formats::Parameters> codings, std::span<const int> levels) {
  std::vector<Cell> cells;
  for (const int level : levels) {
    for (const formats::Parameters& coding : codings) cells.push_back({coding, level, 0, 0, {}});
  }
  return cells;
}

FileCheck::FileCheck(Source& source, std::uint32_t chunk_bytes, CellWorkers& workers)
    : source_(source), chunk_bytes_(chunk_bytes), workers_(workers) {}

Status FileCheck::run(FileReport& report, const CheckProgress& progress) {
  const Stopwatch watch(report.seconds);
  ChunkCutter cutter(source_, rules_for(report.cells, chunk_bytes_));
  Buffer memory;
  while (any_left(report.cells)) {
    const auto cut = cutter.next(memory);
    if (!cut) return cut.error();
    if (cut->bytes.empty()) break;
    if (auto done = check({cut->bytes, report.chunks, report.bytes}, report, progress); !done) return done;
  }
  report.complete = true;
  return ok();
}

Status FileCheck::check(const PlacedChunk& chunk, FileReport& report, const CheckProgress& progress) {
  report.bytes += chunk.bytes.size();
  ++report.chunks;
  const double share = static_cast<double>(chunk.bytes.size()) / static_cast<double>(report.cells.size());
  return workers_.check(chunk, report.cells, [&](std::size_t cells) {
    if (progress) progress(chunk.offset + static_cast<std::uint64_t>(share * static_cast<double>(cells)));
  });
}

}  // namespace tdz::app::roundtrip
