// SPDX-License-Identifier: Apache-2.0
// This file includes itself once for each instruction set, as sweep.cpp does, to learn which ones there are.
#include "kernels/cpu/targets.hpp"

#define TDZ_WITH_AVX512
#include "kernels/cpu/disabled_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/targets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/nanobenchmark.h>

HWY_BEFORE_NAMESPACE();
namespace tdz::cpu {
namespace HWY_NAMESPACE {

const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace tdz::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

// Highway before 1.3 measures the resolution of a timer whenever its shared library is loaded: 2.5 of the 5
// ms that the program takes for a short file. Only its benchmarks ask for it, and tdz uses none. In ELF a
// program's own definition takes the place of one in a shared library.
#if defined(__ELF__) && HWY_MAJOR == 1 && HWY_MINOR < 3
std::uint64_t hwy::platform::TimerResolution() {
  return 1;
}
#endif

namespace tdz::cpu {

HWY_EXPORT(target_name);

namespace {

std::vector<Target> targets_in(std::int64_t set) {
  std::vector<Target> targets;
  for (; set != 0; set &= set - 1) {
    const std::int64_t lowest = set & -set;  // a lower bit is a better target
    targets.push_back({lowest, hwy::TargetName(lowest)});
  }
  return targets;
}

}  // namespace

std::vector<Target> compiled_targets() {
  return targets_in(HWY_TARGETS);
}

std::vector<Target> supported_targets() {
  // The fallback runs everywhere, even if Highway does not list it by this name.
  return targets_in((hwy::SupportedTargets() | HWY_SCALAR | HWY_EMU128) & (HWY_TARGETS));
}

std::string_view current_target() {
  return HWY_DYNAMIC_DISPATCH(target_name)();
}

void force_target(const Target& target) {
  // A lower bit is a better target: this one, and what takes its place in kernels without it.
  hwy::GetChosenTarget().Update(hwy::SupportedTargets() & -target.id);
}

void unforce_target() {
  hwy::GetChosenTarget().DeInit();
}

}  // namespace tdz::cpu
#endif
