// SPDX-License-Identifier: Apache-2.0
// Is SEEK the table of zstd's seekable format?
#include <doctest/doctest.h>

#include <array>

#include "support/samples.hpp"

namespace tdz::test {

using namespace tdz::formats;

namespace {

Bytes bytes_of(std::initializer_list<unsigned> values) {
  Bytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

}  // namespace

TEST_CASE("a table of two entries has these bytes") {
  const std::array entries = {SeekEntry{168, 0}, SeekEntry{0x01020304, 0x40000000}};
  CHECK(serialize_seek_table(entries) ==
        bytes_of({0x5E, 0x2A, 0x4D, 0x18, 25, 0, 0, 0,     // skippable frame, 2 * 8 + 9 bytes
                  168,  0,    0,    0,    0,  0, 0, 0,     // a record
                  4,    3,    2,    1,    0,  0, 0, 0x40,  // a frame
                  2,    0,    0,    0,    0,               // two entries, no checksums
                  0xB1, 0xEA, 0x92, 0x8F}));
}

TEST_CASE("the footer tells the table's length") {
  for (const std::size_t count : {0u, 1u, 1000u, 1'048'573u}) {
    CAPTURE(count);
    const Bytes table = serialize_seek_table(std::vector<SeekEntry>(count));
    CHECK(table.size() == seek_table_bytes(count));
    CHECK(seek_table_length_from_footer(std::span(table).last(kSeekFooterBytes)) == table.size());
  }
}

TEST_CASE("bytes that are not such a footer give no length") {
  const Bytes table = serialize_seek_table(std::vector<SeekEntry>(3));
  const std::span footer = std::span(table).last(kSeekFooterBytes);
  CHECK(seek_table_length_from_footer(footer.first(8)) == 0);
  CHECK(seek_table_length_from_footer({}) == 0);
  for (std::size_t i = 4; i < footer.size(); ++i) {
    CAPTURE(i);
    Bytes copy(footer.begin(), footer.end());
    copy[i] ^= std::byte{0x80};
    CHECK(seek_table_length_from_footer(copy) == 0);
  }
}

TEST_CASE("a footer that states more than 8 MiB gives no length") {
  const Bytes table = serialize_seek_table(std::vector<SeekEntry>(1'048'574));
  CHECK(table.size() > kMaxSeekTableBytes);
  CHECK(seek_table_length_from_footer(std::span(table).last(kSeekFooterBytes)) == 0);
  CHECK(seek_table_length_from_footer(bytes_of({0xFF, 0xFF, 0xFF, 0xFF, 0, 0xB1, 0xEA, 0x92, 0x8F})) == 0);
}

}  // namespace tdz::test
