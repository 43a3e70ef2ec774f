// SPDX-License-Identifier: Apache-2.0
// Does this version read what a later minor version may write, and refuse a later major version?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

TEST_CASE("fields appended by a later minor version are ignored") {
  for (Specimen& specimen : specimens(41)) {
    CAPTURE(specimen.name);
    const Bytes appended(24, std::byte{0xA5});
    specimen.record.insert(specimen.record.end() - 8, appended.begin(), appended.end());
    reseal(specimen.record);
    CHECK(to_string(specimen.parse(specimen.record)) == (specimen.name == "END" ? "corrupt" : "accepted"));
  }
}

TEST_CASE("a later minor version and its ignorable features are accepted and reported") {
  StreamHeader header;
  header.minor = 255;
  header.may_ignore = 0xFFFF;
  const auto parsed = parse_header(serialize(header), 0);
  REQUIRE(parsed);
  CHECK(*parsed == header);
}

TEST_CASE("a later major version is unsupported, even if the rest of its header is not valid") {
  Bytes record = build_record(RecordKind::header, 2, Bytes(8, std::byte{0xFF}));
  record.back() ^= std::byte{1};
  const auto parsed = parse_header(record, 0);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().kind == ErrorKind::unsupported);
  CHECK(parsed.error().message.find("2.0") != std::string::npos);
}

TEST_CASE("another sentence in the header changes no field") {
  Bytes record = serialize(StreamHeader{});
  record[58] = std::byte{'X'};
  reseal(record);
  const auto parsed = parse_header(record, 0);
  REQUIRE(parsed);
  CHECK(*parsed == StreamHeader{});
}

}  // namespace tdz::test
