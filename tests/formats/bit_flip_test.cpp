// SPDX-License-Identifier: Apache-2.0
// Is a record with one flipped bit always corrupt, never truncated or unsupported?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

TEST_CASE("a record of any kind with one flipped bit is corrupt") {
  for (std::uint64_t seed = 21; seed < 24; ++seed) {
    for (Specimen& specimen : specimens(seed)) {
      CAPTURE(seed);
      CAPTURE(specimen.name);
      for (std::size_t bit = 0; bit < specimen.record.size() * 8; ++bit) {
        CAPTURE(bit);
        std::byte& byte = specimen.record[bit / 8];
        const std::byte mask = std::byte{1} << (bit % 8);
        byte ^= mask;
        CHECK(to_string(specimen.parse(specimen.record)) == "corrupt");
        byte ^= mask;
      }
      CHECK(to_string(specimen.parse(specimen.record)) == "accepted");
    }
  }
}

TEST_CASE("a flipped bit of the length is corrupt even when the rest of the file is missing") {
  for (Specimen& specimen : specimens(24)) {
    CAPTURE(specimen.name);
    specimen.record.resize(32);
    for (std::size_t bit = 4 * 8; bit < 8 * 8; ++bit) {
      Bytes copy = specimen.record;
      copy[bit / 8] ^= std::byte{1} << (bit % 8);
      CHECK(to_string(specimen.parse(copy)) == "corrupt");
    }
  }
}

}  // namespace tdz::test
