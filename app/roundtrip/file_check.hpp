// SPDX-License-Identifier: Apache-2.0
// Reads one file once, and tests every chunk in every cell. The cells of a chunk are divided among threads.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "app/roundtrip/report.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::roundtrip {

/// Divides the cells of one chunk among threads. Each thread has its own tester and takes the next cell that
/// is free. The calling thread is one of them.
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

/// The cells of a grid, not yet checked. Cells of the same zstd level follow each other.
std::vector<Cell> cells_of(std::span<const formats::Parameters> codings, std::span<const int> levels);

/// Receives the bytes of the file that are checked in every cell. Within a chunk it counts the share of
/// cells.
using CheckProgress = std::function<void(std::uint64_t)>;

class FileCheck {
 public:
  /// Chunks have at most `chunk_bytes`, whole words, and whole tuples of every cell if these fit.
  FileCheck(Source& source, std::uint32_t chunk_bytes, CellWorkers& workers);

  /// Reads to the end, or until every cell has failed. The results stand in `report`, also after an error;
  /// its cells are those of the grid. Errors: those of the source and of CellWorkers.
  Status run(FileReport& report, const CheckProgress& progress);

 private:
  Status check(const PlacedChunk& chunk, FileReport& report, const CheckProgress& progress);

  Source& source_;
  std::uint32_t chunk_bytes_;
  CellWorkers& workers_;
};

}  // namespace tdz::app::roundtrip
