// SPDX-License-Identifier: Apache-2.0
// From what a caller asked for to what will be done: header sniffed, recipes found, sizes settled.
#pragma once

#include "codec/search/prefix_source.hpp"
#include "codec/search/search.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Options in which nothing is left open, and the recipes that chunks choose from.
struct Prepared {
  CompressOptions
      options;  ///< raw_prefix, nominal, level and chunk_bytes settled; transform is the first recipe's
  Found found;
  std::size_t chunk_sample = 0;  ///< bytes of a chunk that its choice is tried on
  std::string_view sniffed;      ///< the format that the input's own header names, or empty
};

/// `source` is read ahead only where it offers no random access. Errors: those of reading and of the search.
Result<Prepared> prepare(PrefixSource& source, const CompressOptions& options, Backend& backend);

}  // namespace tdz
