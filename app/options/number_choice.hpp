// SPDX-License-Identifier: Apache-2.0
// From the options about the numbers to the search for the rest. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// What the numbers are called, from --type and from --word and --tuple in `said`. Adds to `said` what the
/// type names; the search finds the rest. A type without a tuple, such as i16, leaves the tuple to the search;
/// i16x1 does not. Error usage: the type is unknown, --word or --tuple contradict it, or a byte order is given
/// without a word.
Result<std::string> name_numbers(const std::optional<std::string>& type, SearchOptions& said);

}  // namespace tdz::app
