// SPDX-License-Identifier: Apache-2.0
// Does decoding a damaged stream fail with the right one of three errors, and never succeed with wrong bytes?
#include <doctest/doctest.h>

#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;
using formats::RecordKind;

namespace {

/// Decoding must fail, and the bytes written before must be a correct prefix of the original.
Error must_fail(const Bytes& stored, const Bytes& original) {
  PieceSource from(stored, 1, 1 << 20);
  CollectingSink to;
  const auto result = decompress(from, to, one_thread());
  REQUIRE_FALSE(result);
  REQUIRE(to.collected.size() <= original.size());
  REQUIRE(std::equal(to.collected.begin(), to.collected.end(), original.begin()));
  return result.error();
}

/// A stream with two chunks, several frames and a raw prefix. It is so small that every bit can be flipped.
struct Sample {
  Bytes original = walk(9000, 2, 23);
  Bytes stored;
  explicit Sample(std::size_t length = 9000) : original(walk(length, 2, 23)) {
    auto options = options_for("i16x2");
    options.raw_prefix = 50;
    options.frame_bytes = 4096;
    stored = packed(original, options);
  }
};

/// The offsets of all bytes of records: all bytes except those of frames.
std::vector<std::size_t> record_bytes(const Bytes& stored) {
  std::vector<std::size_t> places;
  for (const Piece& piece : dissect(stored)) {
    const auto length = static_cast<std::size_t>(formats::read_prefix(piece.bytes, 0)->total_bytes);
    for (std::size_t i = 0; i < length; ++i) places.push_back(piece.offset + i);
  }
  return places;
}

Bytes with(Bytes bytes, std::size_t at, std::byte value) {
  bytes[at] = value;
  return bytes;
}

/// Four chunks of 64 KiB.
struct FourChunks {
  Bytes original = walk(4 * 65536, 2, 29);
  std::vector<Piece> pieces = dissect(packed(original, options_for("i16")));
  std::size_t chunk(std::size_t n) const { return 1 + n; }  // piece 0 is HDR
};

}  // namespace

TEST_CASE("every truncation is reported as truncated") {
  const Sample sample;
  for (std::size_t length = 0; length < sample.stored.size(); ++length) {
    INFO("cut to ", length, " of ", sample.stored.size());
    CHECK(must_fail(head(sample.stored, length), sample.original).kind == ErrorKind::truncated);
  }
}

TEST_CASE("every flipped bit of a record is corrupt") {
  const Sample sample(600);
  for (const std::size_t at : record_bytes(sample.stored)) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      INFO("bit ", bit, " of byte ", at);
      CHECK(must_fail(with(sample.stored, at, sample.stored[at] ^ std::byte(1u << bit)), sample.original)
                .kind == ErrorKind::corrupt);
    }
  }
}

TEST_CASE("every byte of a record that becomes 00 or FF is corrupt") {
  const Sample sample(600);
  for (const std::size_t at : record_bytes(sample.stored)) {
    for (const std::byte value : {std::byte{0x00}, std::byte{0xFF}}) {
      if (sample.stored[at] == value) continue;
      INFO("byte ", at);
      CHECK(must_fail(with(sample.stored, at, value), sample.original).kind == ErrorKind::corrupt);
    }
  }
}

// zstd accepts a few changed frames that have the same content, and no one judges a frame's checksum. So a
// flipped bit in a frame may be harmless.
TEST_CASE("every flipped bit of a stream is corrupt or changes nothing") {
  const Sample sample(600);
  for (std::size_t bit = 0; bit < sample.stored.size() * 8; ++bit) {
    const Bytes flipped = with(sample.stored, bit / 8, sample.stored[bit / 8] ^ std::byte(1u << (bit % 8)));
    INFO("bit ", bit % 8, " of byte ", bit / 8);
    const auto result = decompress(flipped, one_thread());
    if (result) {
      CHECK(*result == sample.original);
    } else {
      CHECK(result.error().kind == ErrorKind::corrupt);
    }
  }
}

TEST_CASE("a dropped chunk is corrupt") {
  for (std::size_t n = 0; n < 4; ++n) {
    FourChunks four;
    four.pieces.erase(four.pieces.begin() + static_cast<std::ptrdiff_t>(four.chunk(n)));
    INFO("chunk ", n);
    CHECK(must_fail(joined(four.pieces), four.original).kind == ErrorKind::corrupt);
  }
}

TEST_CASE("a doubled chunk is corrupt") {
  for (std::size_t n = 0; n < 4; ++n) {
    FourChunks four;
    const Piece twin = four.pieces[four.chunk(n)];
    four.pieces.insert(four.pieces.begin() + static_cast<std::ptrdiff_t>(four.chunk(n)), twin);
    INFO("chunk ", n);
    CHECK(must_fail(joined(four.pieces), four.original).kind == ErrorKind::corrupt);
  }
}

TEST_CASE("swapped chunks are corrupt") {
  for (std::size_t n = 0; n < 3; ++n) {
    FourChunks four;
    std::swap(four.pieces[four.chunk(n)], four.pieces[four.chunk(n + 1)]);
    INFO("chunks ", n, " and ", n + 1);
    CHECK(must_fail(joined(four.pieces), four.original).kind == ErrorKind::corrupt);
  }
}

TEST_CASE("a chunk of another stream is corrupt, also if it has the right number") {
  FourChunks four;
  const Bytes other = walk(4 * 65536, 2, 31);
  const auto foreign = dissect(packed(other, options_for("i16")));
  four.pieces[four.chunk(2)] = foreign[four.chunk(2)];
  CHECK(must_fail(joined(four.pieces), four.original).kind == ErrorKind::corrupt);
}

TEST_CASE("a chunk of another stream with the same first chunk is found at the end at the latest") {
  FourChunks four;
  Bytes sibling = four.original;
  sibling[3 * 65536 + 5] ^= std::byte{1};
  const auto foreign = dissect(packed(sibling, options_for("i16")));
  REQUIRE(foreign[four.chunk(0)].bytes == four.pieces[four.chunk(0)].bytes);
  four.pieces[four.chunk(3)] = foreign[four.chunk(3)];
  const Bytes stored = joined(four.pieces);
  const auto result = decompress(stored, one_thread());
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::corrupt);
}

TEST_CASE("a missing or doubled index or end is found") {
  for (std::size_t n = 5; n < 7; ++n) {
    FourChunks four;
    REQUIRE(four.pieces[n].kind == (n == 5 ? RecordKind::index : RecordKind::end));
    FourChunks dropped = four;
    dropped.pieces.erase(dropped.pieces.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(must_fail(joined(dropped.pieces), four.original).kind ==
          (n == 5 ? ErrorKind::corrupt : ErrorKind::truncated));
    four.pieces.insert(four.pieces.begin() + static_cast<std::ptrdiff_t>(n), four.pieces[n]);
    CHECK(must_fail(joined(four.pieces), four.original).kind == ErrorKind::corrupt);
  }
}

TEST_CASE("a file that ends between two records is truncated") {
  const FourChunks four;
  const Bytes stored = joined(four.pieces);
  for (const Piece& piece : four.pieces) {
    if (piece.offset == 0) continue;
    INFO("cut at ", piece.offset);
    CHECK(must_fail(head(stored, piece.offset), four.original).kind == ErrorKind::truncated);
  }
}

TEST_CASE("after a stream there may be another stream or zeros; anything else is corrupt") {
  const Bytes original = walk(1000);
  const Bytes stored = packed(original, options_for("i16"));
  const Bytes zeros(1037);
  CHECK(decompress(stored + stored, one_thread()).value() == original + original);
  CHECK(decompress(stored + zeros, one_thread()).value() == original);
  CHECK(decompress(stored + zeros + stored, one_thread()).value() == original + original);
  CHECK(decompress(zeros + stored, one_thread()).error().kind == ErrorKind::corrupt);
  CHECK(decompress(stored + noise(40), one_thread()).error().kind == ErrorKind::corrupt);
  CHECK(decompress(stored + noise(1), one_thread()).error().kind == ErrorKind::corrupt);
  CHECK(decompress(stored + head(stored, 20), one_thread()).error().kind == ErrorKind::truncated);
}

TEST_CASE("a tdz file inside a tdz file is restored byte for byte") {
  const Bytes inner = packed(walk(100000), options_for("i16"));
  const Bytes outer = packed(inner, options_for(Column{}));
  CHECK(decompress(outer, one_thread()).value() == inner);
}

TEST_CASE("the error for a zstd, gzip or xz file names its format") {
  const auto message = [](std::initializer_list<int> head) {
    Bytes bytes;
    for (const int b : head) bytes.push_back(static_cast<std::byte>(b));
    const auto result = decompress(bytes + noise(100), one_thread());
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::corrupt);
    return result.error().message;
  };
  CHECK(message({0x28, 0xB5, 0x2F, 0xFD}).find("zstd") != std::string::npos);
  CHECK(message({0x1F, 0x8B}).find("gzip") != std::string::npos);
  CHECK(message({0xFD, '7', 'z', 'X', 'Z', 0}).find("xz") != std::string::npos);
  CHECK(message({'h', 'e', 'l', 'l', 'o'}).find("not a tdz file") != std::string::npos);
}
