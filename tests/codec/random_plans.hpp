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

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}

  std::uint64_t bits() { return random_(); }
  /// Below `n`.
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  bool once_in(std::uint64_t n) { return below(n) == 0; }
  template <class T, std::size_t kSize>
  T one_of(const T (&values)[kSize]) {
    return values[below(kSize)];
  }

 private:
  Random random_;
};

/// A plan that formats::check accepts.
Plan random_plan(Chance& chance);
Column random_column(Chance& chance);

/// Bytes with something to find in them: noise, ramps, waves, decimal numbers, one value.
std::vector<std::byte> random_chunk(Chance& chance, std::size_t bytes);

}  // namespace tdz::test
