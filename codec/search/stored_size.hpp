// SPDX-License-Identifier: Apache-2.0
// Chunks as compress() codes them: the same cuts, the same choice of recipes, the same frames. And what an
// input takes in a file that is coded so. Samples do not show everything: not repeats from chunk to chunk,
// and not how a packing fits a whole plane.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"
#include "codec/stream/chunk_cutter.hpp"
#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// How an input is coded: options (raw_prefix, level, chunk_bytes) and the recipes of its chunks.
struct Settled {
  const CompressOptions& options;
  const std::vector<Recipe>& recipes;
  std::size_t chunk_sample = 0;  ///< bytes of a chunk on which recipes are tried
};

/// Encodes chunks as they are settled. Used by one thread; keeps its memory.
class SettledEncoder {
 public:
  /// Takes an encoded chunk, before the next one is encoded.
  using Take = std::function<Status(const Cut& chunk, EncodedChunk& encoded)>;

  /// What `settled` refers to lives longer than the encoder. Throws std::bad_alloc.
  explicit SettledEncoder(const Settled& settled);

  /// The recipe that suits this chunk, one of the settled ones or that of plain bytes. Errors: those of the
  /// trials.
  Result<const Recipe*> choose(const Cut& chunk);
  /// As ChunkEncoder::encode().
  Status encode(std::span<const std::byte> original, const Recipe& recipe, EncodedChunk& out);
  /// Both.
  Status encode(const Cut& chunk, EncodedChunk& out);
  /// All chunks of `source`, in order. Errors: those of the source, of encoding and of `take`.
  Status encode_all(Source& source, const CutRules& rules, const Take& take);

 private:
  const Settled settled_;
  const Recipe raw_{};
  ChunkEncoder encoder_;
  Trial trial_;
  // Of encode_all().
  Buffer memory_;
  EncodedChunk encoded_;
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
