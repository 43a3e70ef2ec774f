// SPDX-License-Identifier: Apache-2.0
// The steps for one column whose words are known: a field of a record, or a whole file of one kind of
// numbers.
#pragma once

#include "codec/search/limits.hpp"
#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct ColumnChoice {
  Column column;
  ColumnHints hints;
  std::uint64_t packed_bytes = 0;  ///< of all pieces together, at zstd -1
};

/// The steps for words of `width` bytes (1 to 8), `count` in a row. `words`: pieces of gathered words; each
/// begins with the first word of a row. What the request sets of tuple (else `count`), order, zigzag, layout
/// and row stays; its word counts for nothing. Errors: those of Trial.
Result<ColumnChoice> search_column(std::uint8_t width, std::uint16_t count, const Pieces& words,
                                   const SearchOptions& request, const SearchLimits& limits, Trial& trial);

}  // namespace tdz
