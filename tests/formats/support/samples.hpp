// SPDX-License-Identifier: Apache-2.0
// Random values from a seed, records with their parsers, and a function that makes the checks of a changed
// record right again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"
#include "formats/error.hpp"
#include "tests/verdict.hpp"

namespace tdz::test {

using Bytes = std::vector<std::byte>;

/// Every test has its seed in an INFO, so that a failure prints it. Not tests/random.hpp: these tests draw
/// from ranges.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t any() { return engine_(); }
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(engine_);
  }
  std::size_t length_between(std::size_t low, std::size_t high) {
    return static_cast<std::size_t>(between(low, high));
  }
  Bytes bytes(std::size_t length);

 private:
  std::mt19937_64 engine_;
};

/// Computes both checks again, and the length field if the record's length changed.
void reseal(Bytes& record);

/// A record, and its parser as a function of one type.
struct Specimen {
  std::string name;
  Bytes record;
  std::function<Status(std::span<const std::byte>)> parse;
};

}  // namespace tdz::test
