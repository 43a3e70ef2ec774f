// SPDX-License-Identifier: Apache-2.0
// What a tdz_plan is, and what a caller of tdz.h wants the search to know.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codec/c/call.hpp"
#include "formats/plan/plan.hpp"
#include "tdz/tdz.hpp"

/// A valid plan, and its texts, which live as long as it does.
struct tdz_plan {
  tdz::Plan plan;
  std::string json;
  std::string words;
  std::vector<std::byte> bytes;
};

struct tdz_plan_cache {
  tdz::PlanCache plans;
};

namespace tdz::c {

/// Gives the caller a plan of its own. Errors: those of the plan; usage (the rules of plans).
Status give(Result<Plan> plan, tdz_plan** out);

/// Is this a level of zstd, or 0?
Status check_level(int level);

struct SearchWish {
  const char* type = nullptr;  ///< NULL: unknown
  int level = 0;
  unsigned effort = TDZ_EFFORT_NORMAL;
  bool gpu = false;
  bool big_endian = false;
};

/// The options of a compression with a search. Errors: usage (type, level, effort or byte order).
Result<CompressOptions> compress_request(const SearchWish& wish);

/// The name of a type as files have it. Error usage: it names no type.
Result<std::string> checked_type(const char* type);

}  // namespace tdz::c
