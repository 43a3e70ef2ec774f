// SPDX-License-Identifier: Apache-2.0
// The instruction sets ("targets", as Highway calls them) that the CPU kernels were compiled for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tdz::cpu {

struct Target {
  std::int64_t id = 0;  ///< Highway's bit
  std::string_view name;
};

/// Every target in this build, best first, and those of them that this machine can run.
std::vector<Target> compiled_targets();
std::vector<Target> supported_targets();

/// The target that the next call will use.
std::string_view current_target();

/// For tests only, while no other thread runs a kernel: every later call uses this target.
void force_target(const Target& target);
void unforce_target();

}  // namespace tdz::cpu
