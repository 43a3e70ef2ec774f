// SPDX-License-Identifier: Apache-2.0
// What does a stream's id depend on?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

TEST_CASE("the id is XXH3-64 of the header and the first chunk's digest") {
  const Bytes header = serialize(StreamHeader{});
  Bytes both = header;
  put_le(both, std::uint64_t{0x0102030405060708});
  const std::uint64_t digest = 0x0102030405060708;
  CHECK(stream_id(header, &digest) == xxh3_64(both));
}

TEST_CASE("a stream without chunks has an id too") {
  const Bytes header = serialize(StreamHeader{});
  CHECK(stream_id(header, nullptr) == xxh3_64(header));
}

TEST_CASE("another header or another first chunk makes another id") {
  const Bytes header = serialize(StreamHeader{});
  const Bytes other = serialize(StreamHeader{.original_bytes = 5});
  const std::uint64_t digest = 0;
  const std::uint64_t other_digest = 1;
  CHECK(stream_id(header, &digest) == stream_id(header, &digest));
  CHECK(stream_id(header, &digest) != stream_id(other, &digest));
  CHECK(stream_id(header, &digest) != stream_id(header, &other_digest));
  CHECK(stream_id(header, &digest) != stream_id(header, nullptr));
}

}  // namespace tdz::test
