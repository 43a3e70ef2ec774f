// SPDX-License-Identifier: Apache-2.0
// Rows that are too long for the pieces on which steps are tried: planes of a grid, for example.
#pragma once

#include <optional>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

/// The draft with a difference over rows of 16 KiB and more, if its words clearly stand in such rows. Where
/// it had no row the order over the tuple is one less: rows do a part of the work. Every piece begins with
/// the first word of a tuple; a row is seen where a piece holds it and 512 words more. Errors: those of
/// Trial.
Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, Trial& trial);

}  // namespace tdz
