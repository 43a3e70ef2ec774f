// SPDX-License-Identifier: Apache-2.0
// Where words stand in lines, and perhaps lines in slices: when the step grid is proposed, or a difference
// over a long row.
#pragma once

#include <optional>
#include <vector>

#include "codec/search/column/column_draft.hpp"
#include "codec/search/column/steps_search.hpp"
#include "codec/search/trial.hpp"

namespace tdz {

/// Drafts with a grid in place of the differences of `draft`: one for each line that pieces agree on, the
/// most likely first, and for each of them a second one where its layout is hardly larger. `known_row`: the
/// words of a row that a header names, or 0. Every piece begins with the first word of a tuple. Errors: those
/// of Trial.
Result<std::vector<ColumnDraft>> grid_drafts(const ColumnDraft& draft, std::uint32_t known_row,
                                             const Pieces& pieces, const SearchLimits& limits, Trial& trial);

/// For rows that are too long for the pieces on which steps are tried, planes of a grid for example. Returns
/// the draft with a difference over rows of 16 KiB and more, if its words clearly stand in such rows. Where
/// it had no row the order over the tuple is one less: rows do a part of the work. Every piece begins with
/// the first word of a tuple; a row is seen where a piece holds it and 512 words more. Errors: those of
/// Trial.
Result<std::optional<ColumnDraft>> with_long_row(ColumnDraft draft, const Pieces& pieces, Trial& trial);

}  // namespace tdz
