// SPDX-License-Identifier: Apache-2.0
// Divides the cells of one chunk among threads. Each thread has its own coders and takes the next cell that
// is free. The calling thread is one of them.
#pragma once

#include <atomic>
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
  /// A tester for each thread, at least one.
  CellWorkers(std::vector<RoundtripTester> testers, std::stop_token stop);

  /// Tests the chunk in every cell that has not failed, and adds the results to the cells. Calls `progress`
  /// on the calling thread with the number of cells done. Errors: cancelled, limit (memory). After an error
  /// some cells lack this chunk.
  Status check(const PlacedChunk& chunk, std::span<Cell> cells,
               const std::function<void(std::size_t)>& progress);

 private:
  struct Task;

  void work(Task& task, RoundtripTester& tester, const std::function<void(std::size_t)>* progress);
  Status check_cell(const Task& task, Cell& cell, RoundtripTester& tester) const;
  void fail(Task& task, Error error);

  std::vector<RoundtripTester> testers_;  ///< one for each thread
  std::stop_token stop_;
};

}  // namespace tdz::app::roundtrip
