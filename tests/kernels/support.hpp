// SPDX-License-Identifier: Apache-2.0
// For the kernel tests: data without symmetry from a seed, guarded buffers, the grid of columns.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cpu/targets.hpp"
#include "tests/random.hpp"

namespace tdz::test {

using ByteVector = std::vector<std::uint8_t>;

inline constexpr std::uint8_t kWords[] = {1, 2, 4, 8};

/// The seed of all data; print it with INFO when a check may fail.
inline constexpr std::uint64_t kSeed = 0x7D25EED;

inline bool full_grid() {
  const char* full = std::getenv("TDZ_TEST_FULL");
  return full != nullptr && std::string(full) == "1";
}

inline ByteVector random_bytes(std::size_t size, std::uint64_t seed = kSeed) {
  Random random(seed);
  ByteVector bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 56);
  return bytes;
}

enum class Direction { forward, inverse };

/// What `use` writes into so many bytes at an odd address, with canaries on both sides.
template <class Use>
ByteVector guarded(std::size_t size, const Use& use) {
  constexpr std::size_t kGuard = 65;
  constexpr std::uint8_t kCanary = 0xC5;
  ByteVector memory(size + 2 * kGuard, kCanary);
  use(std::as_writable_bytes(std::span(memory)).subspan(kGuard, size));
  const auto is_canary = [](std::uint8_t byte) { return byte == kCanary; };
  const auto end = memory.end() - static_cast<std::ptrdiff_t>(kGuard);
  CHECK(std::all_of(memory.begin(), memory.begin() + kGuard, is_canary));
  CHECK(std::all_of(end, memory.end(), is_canary));
  return {memory.begin() + kGuard, end};
}

/// Runs the CPU kernels on `in`, guarded. The address sanitizer finds reads outside the input, because the
/// input has its own heap block.
inline ByteVector run_guarded(const Column& column, Direction direction, const ByteVector& in,
                              const PassList& list) {
  ByteVector scratch(list.count > 1 ? in.size() : 0);
  return guarded(in.size(), [&](std::span<std::byte> out) {
    const cpu::StepListJob job{column.width, column.steps, std::as_bytes(std::span(in)), out,
                               std::as_writable_bytes(std::span(scratch))};
    direction == Direction::forward ? cpu::forward(job, list) : cpu::inverse(job, list);
  });
}
inline ByteVector run_guarded(const Column& column, Direction direction, const ByteVector& in) {
  return run_guarded(column, direction, in, passes(column));
}

/// Each step in a pass of its own.
inline PassList stepwise(const Column& column) {
  return passes(column, [](const Pass&) { return false; });
}

/// Calls test(target) for each target that this machine can run.
template <class Test>
void for_each_target(const Test& test) {
  for (const cpu::Target& target : cpu::supported_targets()) {
    cpu::force_target(target);
    REQUIRE(cpu::current_target() == target.name);
    test(target);
  }
  cpu::unforce_target();
}

}  // namespace tdz::test
