// SPDX-License-Identifier: Apache-2.0
// Columns by hand: --type with the fields of a record. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// Does this type name columns, "u64,f32x5,i24"? A number of 3, 5, 6 or 7 bytes is a column too, because the
/// search knows words of 1, 2, 4 and 8 bytes only.
bool names_columns(std::string_view type);

/// Adds the fields to the search, which then looks for the steps of each column. Returns the canonical name of
/// the types. Order, zigzag, layout and byte order in `said` hold for all columns. Precondition:
/// names_columns(type). Error usage: --word, --tuple and --row do not go with columns, or no plan has them.
Result<std::string> take_columns(std::string_view type, SearchOptions& said);

}  // namespace tdz::app
