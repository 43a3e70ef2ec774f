// SPDX-License-Identifier: Apache-2.0
// From the options about the numbers to the search for the rest, and back. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tdz/tdz.hpp"

namespace tdz::app {

/// What the numbers are called, from --type and from --word and --tuple in `said`. Adds to `said` what the
/// type names; the search finds the rest. A type without a tuple, such as i16, leaves the tuple to the
/// search; i16x1 does not. Error usage: the type is unknown, --word or --tuple contradict it, or a byte order
/// is given without a word.
Result<std::string> name_numbers(const std::optional<std::string>& type, SearchOptions& said);

/// Does this type name columns, "u64,f32x5,i24"? A number of 3, 5, 6 or 7 bytes is a column too, because the
/// search knows words of 1, 2, 4 and 8 bytes only.
bool names_columns(std::string_view type);

/// Adds the fields to the search, which then looks for the steps of each column. Returns the canonical name
/// of the types. Order, zigzag, layout and byte order in `said` hold for all columns. Precondition:
/// names_columns(type). Error usage: --word, --tuple and --row do not go with columns, or no plan has them.
Result<std::string> take_columns(std::string_view type, SearchOptions& said);

/// "--word 2 --tuple 2 --order 1 --zigzag on --layout planes", or nothing where options cannot say the plan.
std::optional<std::string> step_options(const Plan& plan);

/// The options that made this request, without the effort: "--word 2 --order 1", or empty.
std::string request_options(const SearchOptions& request);

}  // namespace tdz::app
