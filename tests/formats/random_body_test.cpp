// SPDX-License-Identifier: Apache-2.0
// Do the parsers take any body with right checks, and write back what they accept?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

bool bytes_may_cause(const Status& status) {
  return status || status.error().kind == ErrorKind::corrupt || status.error().kind == ErrorKind::unsupported;
}

// Small numbers pass more checks of a parser than random bytes do.
std::byte hostile_byte(Random& random) {
  const auto small = static_cast<std::byte>(random.between(0, 9));
  return random.any() % 3 == 0 ? static_cast<std::byte>(random.any()) : small;
}

}  // namespace

TEST_CASE("an edited body is accepted, corrupt or unsupported; nothing else happens") {
  for (std::uint64_t seed = 5000; seed < 7000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    for (Specimen& specimen : specimens(seed)) {
      CAPTURE(specimen.name);
      for (std::uint64_t edits = random.between(1, 4); edits > 0; --edits) {
        const std::size_t most = std::min<std::size_t>(specimen.record.size() - 9, 120);
        specimen.record[random.length_between(32, most)] = hostile_byte(random);
      }
      reseal(specimen.record);
      CHECK(bytes_may_cause(specimen.parse(specimen.record)));
    }
  }
}

TEST_CASE("a random or shortened body is accepted, corrupt or unsupported; nothing else happens") {
  for (std::uint64_t seed = 7000; seed < 8000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    for (Specimen& specimen : specimens(seed)) {
      CAPTURE(specimen.name);
      specimen.record.resize(random.length_between(5, specimen.record.size() / 8) * 8);
      for (std::size_t i = 32; i < specimen.record.size() && seed % 2 == 0; ++i)
        specimen.record[i] = hostile_byte(random);
      reseal(specimen.record);
      CHECK(bytes_may_cause(specimen.parse(specimen.record)));
    }
  }
}

TEST_CASE("an edited index part that is accepted serializes to the same bytes") {
  for (std::uint64_t seed = 8000; seed < 9000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Bytes record = serialize(random_index(random));
    record[random.length_between(32, record.size() - 9)] = hostile_byte(random);
    reseal(record);
    const auto parsed = parse_index(record, 0);
    if (parsed) CHECK(serialize(*parsed) == record);
  }
}

}  // namespace tdz::test
