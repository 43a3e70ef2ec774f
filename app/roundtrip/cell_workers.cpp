// SPDX-License-Identifier: Apache-2.0
#include "app/roundtrip/cell_workers.hpp"

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "codec/stream/pipeline.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz::app::roundtrip {

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

CellWorkers::CellWorkers(std::span<Backend* const> backends, unsigned threads, std::stop_token stop)
    : stop_(std::move(stop)) {
  for (unsigned thread = 0; thread < threads; ++thread) testers_.emplace_back(backends);
}

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
  auto outcome = tester.test(task.chunk, formats::plan_of(formats::transform_of(cell.coding)), cell.level);
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

}  // namespace tdz::app::roundtrip
