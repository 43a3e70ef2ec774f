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

/// The canonical name of the types, and their plan instead of a search. Of the other options about numbers
/// only the order and --big-endian go with columns; they hold for each. Effort means level and chunk length.
/// Precondition: names_columns(type). Error usage.
Status take_columns(std::string_view type, const SearchOptions& said, CompressOptions& to);

}  // namespace tdz::app
