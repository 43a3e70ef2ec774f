// SPDX-License-Identifier: Apache-2.0
// One file, read once, chunk by chunk: every chunk in every cell.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "app/roundtrip/cell_workers.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app::roundtrip {

/// The cells of a grid, none of them checked. Those of one zstd level stand together.
std::vector<Cell> cells_of(std::span<const formats::Parameters> codings, std::span<const int> levels);

/// Bytes of the file that were checked in every cell so far; within a chunk the share of its cells.
using CheckProgress = std::function<void(std::uint64_t)>;

class FileCheck {
 public:
  /// Chunks of at most `chunk_bytes`, of whole words, and of whole tuples of every cell as far as they fit.
  FileCheck(Source& source, std::uint32_t chunk_bytes, CellWorkers& workers);

  /// Reads to the end, or until no cell is left. What was found stands in `report`, after an error too; its
  /// cells are those of the grid. Errors: those of the source and of CellWorkers.
  Status run(FileReport& report, const CheckProgress& progress);

 private:
  Status check(const PlacedChunk& chunk, FileReport& report, const CheckProgress& progress);

  Source& source_;
  std::uint32_t chunk_bytes_;
  CellWorkers& workers_;
};

}  // namespace tdz::app::roundtrip
