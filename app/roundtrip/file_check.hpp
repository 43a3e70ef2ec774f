// SPDX-License-Identifier: Apache-2.0
// Reads one file once, and tests every chunk in every cell.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "app/roundtrip/cell_workers.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::roundtrip {

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
