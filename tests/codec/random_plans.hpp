// SPDX-License-Identifier: Apache-2.0
// Plans and chunks by chance, for laws: every step, width, tuple and run, in columns of every mix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "tests/random.hpp"

namespace tdz::test {

/// A plan that formats::check accepts.
Plan random_plan(Chance& chance);
Column random_column(Chance& chance);

/// Bytes with something to find in them: noise, ramps, waves, decimal numbers, one value.
std::vector<std::byte> random_chunk(Chance& chance, std::size_t bytes);

}  // namespace tdz::test
