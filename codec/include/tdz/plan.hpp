// SPDX-License-Identifier: Apache-2.0
// Plans for people and programs: which columns a chunk has, and the steps of each. Plain values: a plan may
// be shared by threads as long as nobody changes it.
#pragma once

#include <string>
#include <string_view>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// A longer text is no plan. Every plan is shorter.
inline constexpr std::size_t kMaxPlanText = std::size_t{1} << 20;

/// The plan as JSON in one line:
///
///     {"version": 1, "record": 28,
///      "columns": [{"type": "u64", "count": 1,
///                   "steps": [{"step": "difference", "tuple": 1, "order": 1, "run": 0}, {"step": "zigzag"}],
///                   "layout": {"layout": "planes"}},
///                  {"type": "f32", "count": 5, "steps": [], "layout": {"layout": "interleaved"}}],
///      "packing": {"level": 0, "frame": 0, "block": 0, "uniform": false, "code_limit": 0}}
///
/// `record` is the number of bytes of a row. Steps and layouts have the names and parameters of FORMAT.md; a
/// run is a number of words. docs/json.md lists all members. Precondition: the plan is valid.
std::string to_json(const Plan& plan);

/// The inverse. It refuses every member that it does not know, and every one that stands twice; then the
/// plan must be valid. Errors: unsupported (a later version of this JSON); else usage, with the place, such
/// as columns[0].steps[1].
Result<Plan> plan_from_json(std::string_view text);

}  // namespace tdz
