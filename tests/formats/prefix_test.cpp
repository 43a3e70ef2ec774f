// SPDX-License-Identifier: Apache-2.0
// Does the prefix tell a record from other bytes, and give its kind and length?
#include <doctest/doctest.h>

#include <string_view>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

ErrorKind kind_of(const Bytes& bytes) {
  const auto prefix = parse_prefix(bytes, 40);
  REQUIRE_FALSE(prefix);
  CHECK(prefix.error().where == 40);
  return prefix.error().kind;
}

}  // namespace

TEST_CASE("kind, length and tag are read back") {
  const Bytes body(13, std::byte{0x55});
  const Bytes record = build_record(RecordKind::meta, 0x1122334455667788, body);
  const auto prefix = parse_prefix(record, 0);
  REQUIRE(prefix);
  CHECK(prefix->kind == RecordKind::meta);
  CHECK(prefix->total_bytes == record.size());
  CHECK(prefix->total_bytes == 32 + 16 + 8);
  CHECK(prefix->tag == 0x1122334455667788);
}

TEST_CASE("the body comes back with zeros up to a multiple of 8") {
  const Bytes record = build_record(RecordKind::meta, 1, Bytes(13, std::byte{0x55}));
  const auto body = record_body(record, 0);
  REQUIRE(body);
  REQUIRE(body->size() == 16);
  CHECK((*body)[12] == std::byte{0x55});
  CHECK(all_zero(body->subspan(13)));
}

TEST_CASE("an empty body makes the shortest record") {
  const Bytes record = build_record(RecordKind::meta, 1, {});
  CHECK(record.size() == 40);
  CHECK(parse_prefix(record, 0));
  CHECK(record_body(record, 0));
}

TEST_CASE("a file of another kind is corrupt, even a very short one") {
  CHECK(kind_of(bytes_of("RIFF")) == ErrorKind::corrupt);
  CHECK(kind_of(bytes_of("x")) == ErrorKind::corrupt);
  CHECK(kind_of(Bytes(100)) == ErrorKind::corrupt);
  CHECK(kind_of(bytes_of("\x5A\x2A\x4D\x18....TDZ\x1A")) == ErrorKind::corrupt);
}

TEST_CASE("the beginning of a record is truncated") {
  CHECK(kind_of({}) == ErrorKind::truncated);
  CHECK(kind_of(bytes_of("\x5A")) == ErrorKind::truncated);
  CHECK(kind_of(bytes_of("\x5A\x2A\x4D\x18....tdz\x1AHDR ")) == ErrorKind::truncated);
}

TEST_CASE("only magic and cookie together look like a record") {
  const Bytes record = build_record(RecordKind::end, 1, Bytes(72));
  const std::span bytes(record);
  CHECK(looks_like_record(bytes));
  CHECK(looks_like_record(bytes.first(16)));
  CHECK_FALSE(looks_like_record(bytes.first(15)));
  CHECK_FALSE(looks_like_record(bytes.subspan(1)));
}

TEST_CASE("an unknown kind with an intact check is unsupported") {
  CHECK(kind_of(build_record(RecordKind{0x20585858}, 1, Bytes(8))) == ErrorKind::unsupported);
}

TEST_CASE("a length that the kind cannot have is corrupt") {
  CHECK(kind_of(build_record(RecordKind::header, 1, Bytes(4096 - 32))) == ErrorKind::corrupt);
  CHECK(kind_of(build_record(RecordKind::meta, 1, Bytes(65536 - 32))) == ErrorKind::corrupt);
  CHECK(kind_of(build_record(RecordKind::end, 1, Bytes(80))) == ErrorKind::corrupt);
  CHECK(kind_of(build_record(RecordKind::end, 1, Bytes(64))) == ErrorKind::corrupt);
  CHECK(kind_of(build_record(RecordKind::chunk, 1, Bytes(2'102'448 - 32))) == ErrorKind::corrupt);
  CHECK(kind_of(build_record(RecordKind::index, 1, Bytes(9'179'208 - 32))) == ErrorKind::corrupt);
}

TEST_CASE("a length that is not a multiple of 8, or has no room for the check, is corrupt") {
  for (const std::uint32_t total : {8u, 16u, 32u, 41u, 44u, 47u}) {
    CAPTURE(total);
    Bytes record = build_record(RecordKind::meta, 1, Bytes(100));
    set_le(std::span(record).subspan(4), total - 8);
    set_le(std::span(record).subspan(24), xxh3_64(std::span(record).first(24)));
    CHECK(kind_of(record) == ErrorKind::corrupt);
  }
}

TEST_CASE("a record is corrupt if another kind was expected") {
  const auto all = specimens(31);
  for (const Specimen& parser : all) {
    for (const Specimen& other : all) {
      CAPTURE(parser.name);
      CAPTURE(other.name);
      CHECK(to_string(parser.parse(other.record)) == (parser.name == other.name ? "accepted" : "corrupt"));
    }
  }
}

}  // namespace tdz::test
