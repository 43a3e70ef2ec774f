// SPDX-License-Identifier: Apache-2.0
// When the step grid is proposed: where words stand in lines, and perhaps lines in slices.
#pragma once

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

}  // namespace tdz
