// SPDX-License-Identifier: Apache-2.0
// What the steps of a draft make of samples: statistics look at these words.
#pragma once

#include <cstddef>
#include <vector>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/trial.hpp"
#include "formats/error.hpp"

namespace tdz {

struct DraftWords {
  DraftWords() = default;
  DraftWords(DraftWords&&) = default;  // a copy would have the pieces of the other
  DraftWords& operator=(DraftWords&&) = default;

  std::vector<std::vector<std::byte>> memory;
  Pieces pieces;
};

/// The whole words of each piece, after the steps of a draft without layout. Errors: those of Trial.
Result<DraftWords> words_after(const ColumnDraft& draft, const Pieces& pieces, Trial& trial);

}  // namespace tdz
