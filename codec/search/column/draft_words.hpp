// SPDX-License-Identifier: Apache-2.0
// What the steps of a draft make of samples: statistics look at these words.
#pragma once

#include <cstddef>
#include <vector>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/trial.hpp"
#include "formats/error.hpp"

namespace tdz {

/// The spans stay valid: moving a vector keeps its memory.
struct DraftWords {
  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;
};

/// The words of each piece behind the steps of a draft without layout. Errors: those of Trial.
Result<DraftWords> words_behind(const ColumnDraft& draft, const Pieces& pieces, Trial& trial);

/// The draft with a difference over rows of at least `shortest` bytes, if the words clearly stand in such rows: the planes
/// of a grid, say. One order less over the tuple, because rows do a part of its work. Pieces are to begin with the first
/// word of a tuple and to hold two rows. Errors: those of Trial.
Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, std::size_t shortest, Trial& trial);

}  // namespace tdz
