// SPDX-License-Identifier: Apache-2.0
// A plan as bytes, each way: FORMAT.md, section 3. Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// Without `packing` and the kinds of columns, which no reader needs. Precondition: check(plan) finds
/// nothing.
std::vector<std::byte> serialize(const Plan& plan);
/// The length of serialize(plan).
std::size_t plan_bytes(const Plan& plan);

/// The inverse, with the default packing and kinds; the bytes are the plan and nothing else. FORMAT.md,
/// section 5: the shape first, to the last byte; then the values from front to back, the row, the rules of
/// each column. Errors: corrupt where a length is wrong, unsupported where a value is one that version 1.1
/// does not have. `where` goes into them.
Result<Plan> parse_plan(std::span<const std::byte> bytes, std::uint64_t where = Error::kNowhere);

/// Where the plan at the front of `bytes` ends, by its shape alone. Error corrupt: it does not end there.
Result<std::size_t> plan_length(std::span<const std::byte> bytes, std::uint64_t where = Error::kNowhere);

}  // namespace tdz::formats
