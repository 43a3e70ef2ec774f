// SPDX-License-Identifier: Apache-2.0
// Is a record that ends too early always truncated, and nothing else?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

TEST_CASE("every shorter length of every kind of record is truncated") {
  for (std::uint64_t seed = 11; seed < 14; ++seed) {
    for (const Specimen& specimen : specimens(seed)) {
      CAPTURE(seed);
      CAPTURE(specimen.name);
      REQUIRE(specimen.parse(specimen.record));
      for (std::size_t length = 0; length < specimen.record.size(); ++length) {
        CAPTURE(length);
        const Bytes copy(specimen.record.begin(),
                         specimen.record.begin() + static_cast<std::ptrdiff_t>(length));
        CHECK(to_string(specimen.parse(copy)) == "truncated");
      }
    }
  }
}

TEST_CASE("a record with more bytes after it is not accepted as whole") {
  for (Specimen& specimen : specimens(14)) {
    CAPTURE(specimen.name);
    specimen.record.resize(specimen.record.size() + 8);
    CHECK(to_string(specimen.parse(specimen.record)) == "corrupt");
  }
}

}  // namespace tdz::test
