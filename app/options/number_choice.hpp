// SPDX-License-Identifier: Apache-2.0
// From what was said about the numbers to what is left to find out. Pure functions.
#pragma once

#include <optional>
#include <string>

#include "formats/error.hpp"
#include "formats/transform.hpp"
#include "tdz/tdz.hpp"

namespace tdz::app {

/// What the numbers are called, from --type and from --word and --tuple in `said`. Adds to `said` what the
/// type names; the rest stays open. A type without a tuple, such as i16, leaves the tuple open; i16x1 does
/// not. Error usage: an unknown type, --word or --tuple that contradict it, or a byte order of nobody knows
/// what.
Result<NumberType> name_numbers(const std::optional<std::string>& type, SearchOptions& said);

}  // namespace tdz::app
