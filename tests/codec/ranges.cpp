// SPDX-License-Identifier: Apache-2.0
// Does a range return exactly its bytes, and read no more than it needs?
#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "tests/codec/streams/composed_stream.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr Extent bytes(std::uint64_t count) {
  return {count, false};
}
constexpr Extent values(std::uint64_t count) {
  return {count, true};
}

/// Counts the bytes read, in order and at offsets. With `seekable` false it behaves like a pipe.
class CountingSource : public MemorySource {
 public:
  CountingSource(std::span<const std::byte> all, bool seekable)
      : MemorySource(all), file_(all, read_), seekable_(seekable) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    auto came = MemorySource::read(into);
    if (came) read_ += *came;
    return came;
  }
  RandomAccess* random_access() override { return seekable_ ? &file_ : nullptr; }
  std::uint64_t bytes_read() const { return read_; }

 private:
  struct File : MemoryRandomAccess {
    File(std::span<const std::byte> all, std::uint64_t& count) : MemoryRandomAccess(all), read(count) {}
    Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
      read += into.size();
      return MemoryRandomAccess::read_at(offset, into);
    }
    std::uint64_t& read;
  };
  std::uint64_t read_ = 0;
  File file_;
  bool seekable_;
};

DecompressOptions only(const Range& range) {
  auto options = one_thread();
  options.range = range;
  return options;
}

Result<Bytes> part(std::span<const std::byte> stored, const Range& range, bool seekable) {
  CountingSource from(stored, seekable);
  CollectingSink to;
  auto totals = decompress(from, to, only(range));
  if (!totals) return totals.error();
  CHECK(totals->original_bytes == to.collected.size());
  return to.collected;
}

CompressOptions pairs() {
  auto options = options_for("i16x2");
  options.type = "i16x2";
  return options;
}

}  // namespace

TEST_CASE("every range returns that part of the original, with and without the index") {
  const Bytes a = walk(3 * 65536 + 77, 2, 11), b = walk(2 * 65536 - 1, 2, 12), all = a + Bytes() + b;
  const Bytes stored = packed(a, pairs()) + packed(Bytes{}, pairs()) + Bytes(19) + packed(b, pairs());
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const std::size_t begin = random() % (all.size() + 1);
    const std::size_t length =
        random() % (i % 2 == 0 ? all.size() - begin + 1 : std::min<std::size_t>(all.size() - begin, 300) + 1);
    INFO("range ", begin, ":", length);
    for (const bool seekable : {true, false}) {
      CHECK(part(stored, {bytes(begin), bytes(length)}, seekable).value() == slice(all, begin, length));
      CHECK(part(stored, {bytes(begin)}, seekable).value() == slice(all, begin, all.size() - begin));
    }
  }
}

TEST_CASE("a range in values uses the type of the first stream") {
  const Bytes original = walk(100000, 2, 3);
  const Bytes stored = packed(original, pairs());
  CHECK(part(stored, {values(1000), values(3)}, true).value() == slice(original, 4000, 12));
  CHECK(part(stored, {bytes(6), values(3)}, false).value() == slice(original, 6, 12));
  CHECK(part(stored, {values(2), bytes(5)}, true).value() == slice(original, 8, 5));
  CHECK(part(packed(original, options_for("i16")), {values(2), values(5)}, true).value() ==
        slice(original, 2, 5));
}

TEST_CASE("a range beyond the end is an error, it is not shortened") {
  const Bytes original = walk(70000);
  const Bytes stored = packed(original, pairs());
  for (const bool seekable : {true, false}) {
    for (const Range& range :
         {Range{bytes(70001)}, Range{bytes(0), bytes(70001)}, Range{bytes(1), bytes(~0ull)},
          Range{bytes(90000), bytes(1)}, Range{values(1ull << 62), values(1)}}) {
      const auto result = part(stored, range, seekable);
      REQUIRE_FALSE(result);
      CHECK(result.error().kind == ErrorKind::usage);
    }
    CHECK(part(stored, {bytes(70000)}, seekable).value().empty());
    CHECK(part(stored, {bytes(70000), bytes(0)}, seekable).value().empty());
    CHECK(part(packed(Bytes{}, pairs()), {bytes(0), bytes(0)}, seekable).value().empty());
  }
}

TEST_CASE("a range reads its own chunks and only few other bytes") {
  const Bytes original = noise(8 << 20);
  const Bytes stored = packed(original, options_for(Column{}));
  CountingSource from(stored, true);
  CollectingSink to;
  REQUIRE(decompress(from, to, only({bytes(5 << 20), bytes(10)})));
  CHECK(to.collected == slice(original, 5 << 20, 10));
  CHECK(from.bytes_read() < 65536 + 30000);
}

TEST_CASE("a pipe is read only up to the range's end") {
  const Bytes stored = packed(noise(8 << 20), options_for(Column{}));
  CountingSource from(stored, false);
  CollectingSink to;
  REQUIRE(decompress(from, to, only({bytes(65536), bytes(10)})));
  CHECK(from.bytes_read() < 3 * 65536);
}

TEST_CASE("damage outside the range does not matter, damage inside is an error") {
  const Bytes original = walk(4 * 65536);
  const Bytes sound = packed(original, options_for("i16"));
  const auto pieces = dissect(sound);
  Bytes stored = sound;
  stored[pieces[2].offset - 100] ^= std::byte{1};  // a frame of chunk 0
  CHECK(part(stored, {bytes(65536), bytes(65536)}, true).value() == slice(original, 65536, 65536));
  CHECK(part(stored, {bytes(65536), bytes(65536)}, false).value() == slice(original, 65536, 65536));
  CHECK(part(stored, {bytes(65535), bytes(2)}, true).error().kind == ErrorKind::corrupt);
}

TEST_CASE("without an intact end the range is found from the beginning") {
  const Bytes original = walk(4 * 65536);
  const Bytes sound = packed(original, options_for("i16"));
  const Bytes cut = head(sound, dissect(sound)[3].offset);
  CHECK(part(cut, {bytes(70000), bytes(50)}, true).value() == slice(original, 70000, 50));
  CHECK(part(cut, {bytes(140000), bytes(50)}, true).error().kind == ErrorKind::truncated);
  MemoryRandomAccess file(cut);  // as devices read it, which fetch the frames themselves
  Buffer memory;
  auto event = reader_for_file(file, Range{bytes(70000), bytes(50)})->next(memory).value();
  const auto& chunk = std::get<StoredChunk>(event);
  CHECK(chunk.original_offset == 65536);
  CHECK(chunk.skip == 70000 - 65536);
  CHECK(chunk.wanted == 50);
}

TEST_CASE("an index with wrong offsets is corrupt, and a range is then found without it") {
  const Bytes original = walk(4 * 65536);
  auto pieces = dissect(packed(original, options_for("i16")));
  REQUIRE(pieces[5].kind == formats::RecordKind::index);
  const auto plan_length = [](auto plans) { return formats::plan_length(plans); };
  auto index = formats::parse_index(pieces[5].bytes, plan_length, 0).value();
  for (auto& entry : index.entries) entry.record_offset -= 8;
  pieces[5].bytes = serialize(index);
  const Bytes stored = joined(pieces);
  MemoryRandomAccess file(stored);
  IndexedReader reader(file, find_streams(file).value());
  CHECK(reader.go_to(70000).error().kind == ErrorKind::corrupt);
  CHECK(part(stored, {bytes(70000), bytes(50)}, true).value() == slice(original, 70000, 50));
  CHECK(part(stored, {bytes(70000)}, true).error().kind == ErrorKind::corrupt);  // reads on to INDX
}

TEST_CASE("a positioned output gets the range at offset 0, from several threads") {
  const Bytes original = walk(9 * 65536 + 5);
  const Bytes stored = packed(original, options_for("i16"));
  CountingSource from(stored, true);
  PositionedSink to;
  auto options = only({bytes(100000), bytes(300000)});
  options.threads = 3;
  REQUIRE(decompress(from, to, options));
  CHECK(to.collected == slice(original, 100000, 300000));
}

TEST_CASE("a chunk of another stream with the same first chunk is not accepted") {
  const Bytes original = noise(3 * formats::kMinChunk, 3);
  Bytes other = original;
  other[2 * formats::kMinChunk - 5] ^= std::byte{1};
  auto pieces = dissect(packed(original, options_for(Column{})));
  pieces[2] = dissect(packed(other, options_for(Column{})))[2];
  const Bytes spliced = joined(pieces);
  for (const std::uint64_t begin : {std::uint64_t{0}, std::uint64_t{formats::kMinChunk}}) {
    const auto range = Range{bytes(begin), bytes(2 * formats::kMinChunk - begin)};
    CHECK(part(spliced, range, true).error().kind == ErrorKind::corrupt);
  }
  CHECK(part(spliced, Range{bytes(0), bytes(100)}, true).value() == head(original, 100));
}

TEST_CASE("a range in a stream with many parts of the index reads each part at most twice") {
  const Bytes piece = noise(64);
  Composition wanted{.originals = std::vector<Bytes>(3000, piece),
                     .parts = std::vector<std::size_t>(300, 10)};
  const Bytes stored = composed(wanted);
  std::size_t index = 0;
  for (const Piece& p : dissect(stored)) index += p.kind == formats::RecordKind::index ? p.bytes.size() : 0;
  CountingSource from(stored, true);
  CollectingSink to;
  REQUIRE(decompress(from, to, only({bytes(64 * 1500 + 7), bytes(10)})));
  CHECK(to.collected == slice(piece, 7, 10));
  CHECK(from.bytes_read() < 2 * index + 40000);
}
