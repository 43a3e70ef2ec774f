// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the CPU kernels were compiled for. Highway calls them targets.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tdz::cpu {

struct Target {
  std::int64_t id = 0;  ///< Highway's bit
  std::string_view name;
};

/// All targets of this build, best first; and those that this machine can run.
std::vector<Target> compiled_targets();
std::vector<Target> supported_targets();

/// The target that the next call will use.
std::string_view current_target();

/// Every later call uses this target. For tests only, and only while no other thread runs a kernel.
void force_target(const Target& target);
void unforce_target();

}  // namespace tdz::cpu
