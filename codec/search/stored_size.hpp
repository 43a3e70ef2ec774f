// SPDX-License-Identifier: Apache-2.0
// What an input takes in a file, coded as compress() codes it: the same cuts, the same choice of recipes, the
// same frames. Samples do not show everything: not repeats from chunk to chunk, and not how a packing fits a
// whole plane.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// How an input is coded: options (raw_prefix, level, chunk_bytes) and the recipes of its chunks.
struct Settled {
  const CompressOptions& options;
  const std::vector<Recipe>& recipes;
  std::size_t chunk_sample = 0;  ///< bytes of a chunk on which recipes are tried
};

/// The parts of an input that are coded to compare. `length` 0: all of it.
struct Stretches {
  std::size_t count = 1;
  std::size_t length = 0;
};

/// Bytes of chunks with their records, and of plans in the index. Each stretch begins at a chunk's begin.
/// Throws std::bad_alloc. Errors: those of reading; limit, where there is no memory for zstd.
Result<std::uint64_t> stored_size(RandomAccess& input, const Settled& settled, Stretches stretches);

}  // namespace tdz
