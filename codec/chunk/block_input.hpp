// SPDX-License-Identifier: Apache-2.0
// What a lone block may be made of. Pure functions, thread-safe.
#pragma once

#include <cstdint>

#include "formats/plan/plan_rules.hpp"
#include "tdz/block.hpp"

namespace tdz {

inline Status check_block_length(std::uint64_t original_bytes) {
  if (original_bytes == 0) return usage("a block of no bytes");
  if (original_bytes > kMaxBlockOriginal) return usage("a block has at most 1 GiB");
  return ok();
}

inline Status check_block_plan(const Plan& plan) {
  if (auto good = formats::check(plan); !good) return good;
  if (plan.packing.block_bytes != 0)
    return unsupported("this tdz does not limit the length of zstd's blocks");
  if (plan.packing.code_limit != 0 && plan.coding != Coding::uniform)
    return unsupported("this tdz limits codes only in uniform blocks");
  return ok();
}

}  // namespace tdz
