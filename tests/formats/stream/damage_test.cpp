// SPDX-License-Identifier: Apache-2.0
// Is damage to a record of format 1.0 always found and called by its name?
#include <doctest/doctest.h>

#include "samples.hpp"

namespace tdz::test::stream {

TEST_CASE("every flipped bit of a record is corrupt") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (Specimen& specimen : specimens(seed)) {
      CAPTURE(specimen.name);
      for (std::size_t bit = 0; bit < specimen.record.size() * 8; ++bit) {
        CAPTURE(bit);
        std::byte& byte = specimen.record[bit / 8];
        const std::byte mask = std::byte{1} << (bit % 8);
        byte ^= mask;
        CHECK(verdict_of(specimen.parse(specimen.record)) == "corrupt");
        byte ^= mask;
      }
      CHECK(verdict_of(specimen.parse(specimen.record)) == "accepted");
    }
  }
}

TEST_CASE("every shorter record is truncated") {
  for (const Specimen& specimen : specimens(4)) {
    CAPTURE(specimen.name);
    for (std::size_t length = 0; length < specimen.record.size(); ++length) {
      CAPTURE(length);
      CHECK(verdict_of(specimen.parse(std::span(specimen.record).first(length))) == "truncated");
    }
  }
}

TEST_CASE("a record of another kind is corrupt") {
  const auto all = specimens(5);
  for (const Specimen& parser : all) {
    for (const Specimen& other : all) {
      CAPTURE(parser.name);
      CAPTURE(other.name);
      CHECK(verdict_of(parser.parse(other.record)) == (parser.name == other.name ? "accepted" : "corrupt"));
    }
  }
}

TEST_CASE("no byte behind intact checks makes a parser leave its record") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (Specimen& specimen : specimens(seed)) {
      RandomValues random(seed);
      for (int turn = 0; turn < 300; ++turn) {
        Bytes record = specimen.record;
        for (int i = 0; i < 3; ++i)
          record[random.length_between(32, record.size() - 9)] = static_cast<std::byte>(random.any());
        reseal(record);
        const std::string verdict = verdict_of(specimen.parse(record));
        CHECK((verdict == "accepted" || verdict == "corrupt" || verdict == "unsupported"));
      }
    }
  }
}

}  // namespace tdz::test::stream
