// SPDX-License-Identifier: Apache-2.0
// What does a reader say of bytes that no writer of version 1.0 makes: files of another kind, and headers of
// later versions?
#include <doctest/doctest.h>

#include <string_view>

#include "samples.hpp"

namespace tdz::test::stream {

using namespace tdz::formats;

namespace {

std::string verdict_of_prefix(std::string_view text) {
  return verdict_of(parse_prefix(std::as_bytes(std::span(text)), {.header = true}, 40));
}

}  // namespace

TEST_CASE("a file of another kind is corrupt, even a very short one") {
  for (const std::string_view text : {"RIFF", "x", "\x5A\x2A\x4D\x18....TDZ\x1A"})
    CHECK(verdict_of_prefix(text) == "corrupt");
}

TEST_CASE("the beginning of a record is truncated") {
  for (const std::string_view text : {"", "\x5A", "\x5A\x2A\x4D\x18....tdz\x1AHDR "})
    CHECK(verdict_of_prefix(text) == "truncated");
}

TEST_CASE("only magic and cookie together look like a record") {
  const Bytes record = serialize(EndRecord{});
  const std::span bytes(record);
  CHECK(looks_like_record(bytes.first(16)));
  CHECK_FALSE(looks_like_record(bytes.first(15)));
  CHECK_FALSE(looks_like_record(bytes.subspan(1)));
}

TEST_CASE("a later major version is unsupported, even if the rest of its header is not valid") {
  Bytes record = build_record(RecordKind::header, 2, Bytes(40, std::byte{0xFF}));
  record.back() ^= std::byte{1};
  const auto parsed = parse_header(record, 0);
  CHECK(verdict_of(parsed) == "unsupported");
  CHECK(parsed.error().message.find("2.0") != std::string::npos);
}

TEST_CASE("another sentence in the header changes no field") {
  const StreamHeader header{.type = "u8"};
  Bytes record = serialize(header);
  record[60] = std::byte{'X'};
  reseal(record);
  CHECK(parse_header(record, 0).value() == header);
}

TEST_CASE("a stream without chunks has the id of its header alone") {
  const Bytes header = serialize(StreamHeader{});
  CHECK(stream_id(header, std::nullopt) == xxh3_64(header));
  CHECK(stream_id(header, 0) != xxh3_64(header));
}

TEST_CASE("the bound of a packed frame is above zstd's own bound") {
  // ZSTD_COMPRESSBOUND of zstd.h, plus 18 + 4 bytes of frame header and checksum.
  const auto zstd_bound = [](std::uint64_t n) {
    return n + n / 256 + (n < 131072 ? (131072 - n) / 2048 : 0) + 22;
  };
  for (std::uint64_t n = 1; n <= kMaxChunk; n = n * 3 / 2 + 1)
    CHECK(zstd_bound(n) <= max_packed(static_cast<std::uint32_t>(n)));
}

}  // namespace tdz::test::stream
