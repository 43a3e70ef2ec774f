// SPDX-License-Identifier: Apache-2.0
// Names of types, layouts, steps and plans as people type and read them. Pure functions, thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

// ---- Types and layouts

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

// ---- Steps and plans

/// "difference(2, 1)", "scale(1)", "lanes(3)", "predict(1)", "tokens(1, 3, 1)": names as in FORMAT.md.
std::string step_name(const PlanStep& step);
/// "difference(2, 1), zigzag, tuple-planes(2)", or "none".
std::string steps_name(const Column& column);
/// "16-bit words: difference(2, 1), zigzag"; with several columns "64-bit words: planes; 5 32-bit words:
/// none".
std::string plan_name(const Plan& plan);

/// A plan in words, for people who do not know the names of steps. A line for each column: "column 2, f32:
/// multiples of 1/100, 0.3 % holes; difference of order 1 to the number before; zigzag; byte shuffle".
/// `holes`: the share of holes of each column, or empty.
std::vector<std::string> plan_words(const Plan& plan, std::span<const double> holes);

}  // namespace tdz::formats
