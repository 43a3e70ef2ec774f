// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::test {

/// splitmix64 (Steele, Lea, Flood 2014): 64 bits each, of one seed. No two are equal, and every bit is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

/// Choices by random numbers.
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

}  // namespace tdz::test
