// SPDX-License-Identifier: Apache-2.0
// May a frame be as long as the bound, and not longer?
#include <doctest/doctest.h>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

TEST_CASE("a frame may be as long as the bound and not one byte longer") {
  for (const std::uint32_t unpacked : {1u, 127u, 128u, 4096u, kDefaultChunk}) {
    CAPTURE(unpacked);
    const auto bound = static_cast<std::uint32_t>(max_packed_bytes(unpacked));
    ChunkRecord chunk{.original_bytes = unpacked, .frames = {{bound, unpacked}}};
    CHECK(parse_chunk(serialize(chunk), StreamHeader{}, 0));
    chunk.frames[0].packed = bound + 1;
    const auto parsed = parse_chunk(serialize(chunk), StreamHeader{}, 0);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::corrupt);
  }
}

TEST_CASE("the bound is above zstd's own bound") {
  // ZSTD_COMPRESSBOUND of zstd.h, plus 18 + 4 bytes of frame header and checksum.
  const auto zstd_bound = [](std::uint64_t n) {
    return n + n / 256 + (n < 131072 ? (131072 - n) / 2048 : 0) + 22;
  };
  for (std::uint64_t n = 1; n <= kMaxChunk; n = n * 3 / 2 + 1) CHECK(zstd_bound(n) <= max_packed_bytes(n));
}

}  // namespace tdz::test
