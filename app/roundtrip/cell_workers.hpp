// SPDX-License-Identifier: Apache-2.0
// The cells of one chunk, shared out to threads. Each thread has coders of its own and takes the next cell
// that nobody has taken; the calling thread is one of them.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "app/roundtrip/report.hpp"

namespace tdz::app::roundtrip {

class CellWorkers {
 public:
  /// Preconditions: the backends outlive it; threads >= 1. Throws std::bad_alloc.
  CellWorkers(std::span<Backend* const> backends, unsigned threads, std::stop_token stop);

  /// Tests the chunk in every cell that has not failed, and adds to the cells what came out. `progress` hears
  /// of the number of cells done, on the calling thread. Errors: cancelled, limit (memory); some cells are
  /// then without it.
  Status check(const PlacedChunk& chunk, std::span<Cell> cells,
               const std::function<void(std::size_t)>& progress);

 private:
  struct Task;

  void work(Task& task, RoundtripTester& tester, const std::function<void(std::size_t)>* progress);
  Status check_cell(const Task& task, Cell& cell, RoundtripTester& tester) const;
  void fail(Task& task, Error error);

  std::deque<RoundtripTester> testers_;  // one a thread; a deque because they do not move
  std::stop_token stop_;
};

}  // namespace tdz::app::roundtrip
