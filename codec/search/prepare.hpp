// SPDX-License-Identifier: Apache-2.0
// Turns a caller's options into settled ones: reads the input's header, finds the recipes, chooses the sizes.
#pragma once

#include "codec/search/search.hpp"
#include "codec/stream/chunk_cutter.hpp"
#include "codec/stream/memory_limit.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The options with all values set, and the recipes for the chunks.
struct Prepared {
  /// All values are set: raw_prefix, type, level, chunk_bytes. `plan` is the first recipe's.
  CompressOptions options;
  Found found;
  std::size_t chunk_sample = 0;  ///< bytes of a chunk on which the recipes are tried
  std::string_view sniffed;      ///< the file format that the input's own header shows, or empty
};

/// Reads ahead from `source` only if it has no random access. Errors: those of reading and of the search.
Result<Prepared> prepare(PrefixSource& source, const CompressOptions& options);

/// What a pipeline needs that encodes these chunks.
MemoryNeeds encoding_needs(const Prepared& prepared);

}  // namespace tdz
