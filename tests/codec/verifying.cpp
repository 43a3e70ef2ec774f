// SPDX-License-Identifier: Apache-2.0
// Does a verification find a wrong checksum inside a frame, and an intact stream of other bytes?
#include "codec/decompress.hpp"

#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "tests/codec/support.hpp"

namespace tdz {
namespace {

using test::Bytes;

Result<Totals> compressed(const Bytes& original, Bytes& stored) {
  MemorySource source(original);
  test::CollectingSink sink;
  auto totals = compress(source, sink, test::options_for("i16x2"));
  stored = std::move(sink.collected);
  return totals;
}

TEST_CASE("a stream verifies against the original that it was written from") {
  const Bytes original = test::walk(200000);
  Bytes stored;
  const Totals totals = compressed(original, stored).value();
  MemorySource source(stored);
  const Totals found = verify_stream(source, test::one_thread()).value();
  CHECK(found.original_bytes == original.size());
  CHECK(found.chunks == totals.chunks);
  MemorySource again(stored);
  CHECK(verify_against(again, totals, test::one_thread()));
}

TEST_CASE("an intact stream of other bytes does not verify against the original") {
  Bytes original = test::walk(200000);
  Bytes stored, other;
  const Totals totals = compressed(original, stored).value();
  original.back() ^= std::byte{1};
  REQUIRE(compressed(original, other));
  MemorySource source(other);
  const Status done = verify_against(source, totals, test::one_thread());
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::corrupt);
  CHECK(done.error().message == "the result decodes to different bytes");
}

TEST_CASE("a wrong checksum of a frame, under a right digest of its chunk, is an error for no reader") {
  Bytes stored;
  REQUIRE(compressed(test::walk(50000), stored));
  auto pieces = test::dissect(stored);
  const auto chunk = std::ranges::find(pieces, formats::RecordKind::chunk, &test::Piece::kind);
  REQUIRE(chunk != pieces.end());
  chunk->bytes.back() ^= std::byte{1};  // zstd's checksum ends the frame
  const Bytes damaged = test::joined(pieces);
  CHECK(decompress(damaged, test::one_thread()));
  MemorySource source(damaged);
  CHECK(verify_stream(source, test::one_thread()));
}

}  // namespace
}  // namespace tdz
