// SPDX-License-Identifier: Apache-2.0
// Are integers put and read as FORMAT.md says, and does the reader stay inside its span?
#include <doctest/doctest.h>

#include "formats/bytes.hpp"

namespace tdz::formats {

TEST_CASE("integers are stored least significant byte first") {
  std::vector<std::byte> bytes;
  put_le(bytes, std::uint32_t{0x01020304});
  CHECK(bytes == std::vector{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}});
  CHECK(get_le<std::uint32_t>(bytes) == 0x01020304);
  CHECK(get_le<std::uint16_t>(bytes) == 0x0304);
  set_le(std::span(bytes), std::uint16_t{0xA0B0});
  CHECK(get_le<std::uint32_t>(bytes) == 0x0102A0B0);
}

TEST_CASE("after the end the reader gives zeros, and overran() is true") {
  const std::vector<std::byte> bytes(5, std::byte{7});
  ByteReader in(bytes);
  CHECK(in.get<std::uint32_t>() == 0x07070707);
  CHECK(in.left() == 1);
  CHECK_FALSE(in.overran());
  CHECK(in.get<std::uint16_t>() == 0);
  CHECK(in.overran());
  CHECK(in.get<std::uint8_t>() == 0);
}

TEST_CASE("the reader refuses the longest possible request") {
  const std::vector<std::byte> bytes(5);
  ByteReader in(bytes);
  in.get<std::uint8_t>();
  CHECK(in.take(SIZE_MAX).empty());
  CHECK(in.overran());
}

TEST_CASE("an empty request succeeds anywhere") {
  ByteReader in({});
  CHECK(in.take(0).empty());
  CHECK_FALSE(in.overran());
}

}  // namespace tdz::formats
