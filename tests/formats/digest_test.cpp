// SPDX-License-Identifier: Apache-2.0
// Are the digests those of xxHash, in one piece and in many?
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <string>

#include "support/samples.hpp"
#include "support/tools.hpp"
#include "tests/hex.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

// The buffer of xxHash's own test, cli/xsum_sanity_check.c; its results are below.
Bytes sanity_buffer(std::size_t length) {
  Bytes bytes;
  for (std::uint64_t generator = 2654435761u; bytes.size() < length; generator *= 11400714785074694797u) {
    bytes.push_back(static_cast<std::byte>(generator >> 56));
  }
  return bytes;
}

struct Known64 {
  std::size_t length;
  std::uint64_t digest;
};
// One length for each case of XXH3: nothing, 1-3, 4-8, 9-16, 17-32, 33-64, 65-96, 129-240, one block, more.
constexpr std::array kKnown64 = {
    Known64{0, 0x2D06800538D394C2},    Known64{1, 0xC44BDFF4074EECDB},    Known64{6, 0x27B56A84CD2D7325},
    Known64{12, 0xA713DAF0DFBB77E7},   Known64{24, 0xA3FE70BF9D3510EB},   Known64{48, 0x397DA259ECBA1F11},
    Known64{80, 0xBCDEFBBB2C47C90A},   Known64{195, 0xCD94217EE362EC3A},  Known64{403, 0xCDEB804D65C6DEA4},
    Known64{512, 0x617E49599013CB6B},  Known64{2048, 0xDD59E2C3A5F038E0}, Known64{2099, 0xC6B9D9B3FC9AC765},
    Known64{2240, 0x6E73A90539CF2948}, Known64{2367, 0xCB37AEB9E5D361ED},
};

struct Known128 {
  std::size_t length;
  const char* digest;
};
constexpr std::array kKnown128 = {
    Known128{0, "99aa06d3014798d86001c324468d497f"},    Known128{1, "a6cd5e9392000f6ac44bdff4074eecdb"},
    Known128{6, "082afe0b8162d12a3e7039bdda43cfc6"},    Known128{12, "6e3efd8fc7802b18061a192713f69ad9"},
    Known128{24, "0ce966e4678d37611e7044d28b1b901d"},   Known128{48, "a002ac4e5478227ef942219aed80f67b"},
    Known128{81, "4952f58181ab00425e8bafb9f95fb803"},   Known128{222, "337e09641b948717f1aebd597cec6b3a"},
    Known128{403, "1b6de21e332dd73dcdeb804d65c6dea4"},  Known128{512, "18d2d110dcc9bca1617e49599013cb6b"},
    Known128{2048, "f736557fd47073a5dd59e2c3a5f038e0"}, Known128{2240, "ccb134fbfa7ce49d6e73a90539cf2948"},
    Known128{2367, "e89c0f6ff369b427cb37aeb9e5d361ed"},
};

}  // namespace

TEST_CASE("XXH3-64 gives the published results") {
  for (const auto& [length, digest] : kKnown64) {
    CAPTURE(length);
    CHECK(xxh3_64(sanity_buffer(length)) == digest);
  }
}

TEST_CASE("XXH3-128 gives the published results in canonical order") {
  for (const auto& [length, digest] : kKnown128) {
    CAPTURE(length);
    CHECK(hex(xxh3_128(sanity_buffer(length))) == digest);
  }
}

TEST_CASE("a digest of pieces is the digest of the whole") {
  const std::uint64_t seed = 51;
  CAPTURE(seed);
  RandomValues random(seed);
  const Bytes bytes = random.bytes(100'000);
  DigestStream stream;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = std::min(random.length_between(0, 3000), bytes.size() - at);
    stream.update(std::span(bytes).subspan(at, length));
    at += length;
  }
  CHECK(stream.digest() == xxh3_128(bytes));
}

TEST_CASE("a stream without bytes has the digest of zero bytes") {
  DigestStream stream;
  stream.update({});
  CHECK(stream.digest() == xxh3_128({}));
  CHECK(DigestStream().digest() == xxh3_128({}));
}

TEST_CASE("a stream continues after its digest was asked for, and after a move") {
  const Bytes bytes = sanity_buffer(2367);
  DigestStream stream;
  stream.update(std::span(bytes).first(1000));
  CHECK(stream.digest() == xxh3_128(std::span(bytes).first(1000)));
  DigestStream moved = std::move(stream);
  moved.update(std::span(bytes).subspan(1000));
  CHECK(moved.digest() == xxh3_128(bytes));
}

TEST_SUITE("needs xxhsum") {
  TEST_CASE("xxhsum -H2 prints the same 128 bits") {
    if (!have_command("xxhsum --version")) return skip("no xxhsum command");
    const TemporaryFolder folder;
    const std::uint64_t seed = 52;
    CAPTURE(seed);
    RandomValues random(seed);
    const Bytes bytes = random.bytes(1'234'567);
    write_file(folder / "data", bytes);
    const std::string printed = output_of("xxhsum -q -H2 " + quoted(folder / "data"));
    CHECK(printed.substr(0, 32) == hex(xxh3_128(bytes)));
  }
}

}  // namespace tdz::test
