// SPDX-License-Identifier: Apache-2.0
// Is every record parsed to the value that it was made from?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

TEST_CASE("any header is parsed to the same value") {
  for (std::uint64_t seed = 100; seed < 600; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const StreamHeader header = random_header(random);
    const auto parsed = parse_header(serialize(header), 0);
    REQUIRE(parsed);
    CHECK(*parsed == header);
  }
}

TEST_CASE("any chunk record is parsed to the same value") {
  for (std::uint64_t seed = 1000; seed < 1500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const StreamHeader header = random_header(random);
    const ChunkRecord chunk = random_chunk(random, header);
    const auto parsed = parse_chunk(serialize(chunk), header, 0);
    REQUIRE(parsed);
    CHECK(*parsed == chunk);
  }
}

TEST_CASE("any index part is parsed to the same value") {
  for (std::uint64_t seed = 2000; seed < 2500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const IndexPart part = random_index(random);
    const auto parsed = parse_index(serialize(part), 0);
    REQUIRE(parsed);
    CHECK(*parsed == part);
  }
}

TEST_CASE("any end record is parsed to the same value") {
  for (std::uint64_t seed = 3000; seed < 3500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const EndRecord end = random_end(random);
    const auto parsed = parse_end(serialize(end), 0);
    REQUIRE(parsed);
    CHECK(*parsed == end);
  }
}

TEST_CASE("the end record of an empty stream is parsed to the same value") {
  const EndRecord end{.stream = 5, .stream_bytes = 280};
  const auto parsed = parse_end(serialize(end), 0);
  REQUIRE(parsed);
  CHECK(*parsed == end);
}

TEST_CASE("a chunk may be the last byte of the longest possible file") {
  StreamHeader header;
  header.original_bytes = kUnknown - 1;
  ChunkRecord chunk{
      .number = kUnknown, .original_offset = kUnknown - 2, .original_bytes = 1, .frames = {{9, 1}}};
  const auto parsed = parse_chunk(serialize(chunk), header, 0);
  REQUIRE(parsed);
  CHECK(*parsed == chunk);
}

TEST_CASE("packed_bytes is the sum over the frames") {
  const ChunkRecord chunk{.frames = {{0xFFFFFFFF, 1}, {0xFFFFFFFF, 1}, {2, 1}}};
  CHECK(chunk.packed_bytes() == 0x200000000);
}

}  // namespace tdz::test
