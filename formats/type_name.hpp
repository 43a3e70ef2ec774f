// SPDX-License-Identifier: Apache-2.0
// Names of types and layouts as people type and read them. Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// "i16x2" -> {'i', 2, 2}; "u8" -> {'u', 1, 1}; "bf16" -> {'u', 2, 1}, as "u16". The error (usage) lists the
/// types that exist.
Result<NumberType> parse_type(std::string_view name);
/// The inverse, with one name for each type. {0, 1, 1} is "bytes", {0, 4, 3} is "w32x3".
std::string type_name(const NumberType& type);

/// The fields of a row, "u64,f32x5,i24": commas separate them, and integers of 3, 5, 6 and 7 bytes are types
/// too. Error usage names the first one that is none.
Result<std::vector<NumberType>> parse_types(std::string_view names);
/// The inverse.
std::string type_names(std::span<const NumberType> types);

/// "interleaved", "planes", "tuple-planes", "bit-planes".
Result<Layout> parse_layout(std::string_view name);
std::string_view layout_name(Layout layout);

}  // namespace tdz::formats
