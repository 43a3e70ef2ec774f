// SPDX-License-Identifier: Apache-2.0
// What does opening an encoder say where there is no device, and where the request makes no sense?
#include <doctest/doctest.h>

#include "tdz/device_encoder.hpp"

namespace tdz::test {

TEST_CASE("where there is no device, opening an encoder says so") {
  const std::uint32_t lengths[] = {65536};
  const auto blocks = DeviceEncoder::open_blocks(plain_plan(), lengths);
  if (!blocks) CHECK(blocks.error().kind == ErrorKind::unsupported);
  const auto stream = DeviceEncoder::open_stream(65536, {});
  if (!stream) CHECK(stream.error().kind == ErrorKind::unsupported);
  const auto wrong = DeviceEncoder::open_stream(65536, {.level = 99});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().kind == ErrorKind::usage);
}

}  // namespace tdz::test
