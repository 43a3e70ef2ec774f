// SPDX-License-Identifier: Apache-2.0
// What a tdz_plan is: a valid plan, and its texts, which live as long as it does.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "codec/c/call.hpp"
#include "formats/plan/plan.hpp"

struct tdz_plan {
  tdz::Plan plan;
  std::string json;
  std::vector<std::byte> bytes;
};

namespace tdz::c {

/// Gives the caller a plan of its own. Errors: those of the plan; usage (the rules of plans).
Status give(Result<Plan> plan, tdz_plan** out);

/// Is this a level of zstd, or 0?
Status check_level(int level);

}  // namespace tdz::c
