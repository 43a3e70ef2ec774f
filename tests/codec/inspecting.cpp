// SPDX-License-Identifier: Apache-2.0
// Does inspect report what decoding would find, and fail if decoding would fail?
#include <doctest/doctest.h>

#include "codec/json.hpp"
#include "codec/stream/memory_io.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

/// Counts the bytes read, to show that a long stream is not read completely.
class CountingAccess : public MemoryRandomAccess {
 public:
  using MemoryRandomAccess::MemoryRandomAccess;
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    bytes_read += into.size();
    return MemoryRandomAccess::read_at(offset, into);
  }
  std::uint64_t bytes_read = 0;
};

}  // namespace

TEST_CASE("inspect describes a stream") {
  const Bytes original = walk(300000, 2, 3);
  auto options = options_for("i16x2");
  options.type = "i16x2";
  options.raw_prefix = 10;
  const Bytes stored = packed(original, options);
  MemoryRandomAccess file(stored);
  const auto streams = inspect(file).value();
  REQUIRE(streams.size() == 1);
  const StreamInfo& info = streams.front();
  CHECK(info.original_bytes == original.size());
  CHECK(info.stored_bytes == stored.size());
  CHECK(info.largest_chunk == formats::kMinChunk);
  CHECK(info.type == "i16x2");
  CHECK(info.version_major == 1);
  CHECK(info.digest_kind == 1);
  CHECK(info.digest == formats::xxh3_128(original));
  CHECK(info.plans == std::vector{plain_plan(), options.plan});
}

TEST_CASE("characters that show nothing are escaped in JSON, above U+FFFF as two") {
  auto options = options_for("i16");
  options.type = "i16 \u200b\U000e0041\u00e9 \x1b[1m";
  const Bytes stored = packed(walk(1000), options);
  MemoryRandomAccess file(stored);
  const std::string text = file_json(file, false).value();
  CHECK(text.find(R"("i16 \u200b\udb40\udc41)"
                  "\u00e9"
                  R"( \u001b[1m")") != std::string::npos);
}

TEST_CASE("inspect reads few bytes, also of a long stream") {
  const Bytes stored = packed(noise(20 << 20), options_for(Column{}));
  CountingAccess file(stored);
  REQUIRE(inspect(file));
  CHECK(file.bytes_read < 100000);
}

TEST_CASE("a limit of the output and one of memory end inspect with Error limit, and say so") {
  const Bytes original = walk(300000, 2, 3);
  const Bytes one = packed(original, options_for("i16"));
  const Bytes stored = one + one;
  MemoryRandomAccess file(stored);
  CHECK(inspect(file, {.max_output = 2 * original.size()}).value().size() == 2);
  const auto longer = inspect(file, {.max_output = 2 * original.size() - 1});
  REQUIRE_FALSE(longer);
  CHECK(longer.error().kind == ErrorKind::limit);
  CHECK(longer.error().message == "the original is longer than the limit of 599999 bytes");
  CHECK(longer.error().where == one.size());
  Bytes many;
  for (int i = 0; i < 300; ++i) many = many + packed(noise(10), options_for(plain_plan()));
  MemoryRandomAccess long_list(many);
  CHECK(inspect(long_list, {.memory = 1 << 20}).value().size() == 300);
  const auto refused = inspect(long_list, {.memory = 30000});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::limit);
  CHECK(refused.error().message.find("the list of streams needs") == 0);
}

TEST_CASE("a part of the index that needs more memory than the limit is not read") {
  const Bytes stored = packed(noise(200 * formats::kMinChunk), options_for(plain_plan()));
  MemoryRandomAccess file(stored);
  const auto stream = inspect(file).value().front();
  const auto visit = [](const ChunkInfo&) { return true; };
  CHECK(for_each_chunk(file, stream, visit, {.memory = 1 << 20}));
  CHECK(for_each_chunk(file, stream, visit, {.memory = 10000}).error().kind == ErrorKind::limit);
  CHECK(inspect(file, {.memory = 10000}).error().kind == ErrorKind::limit);
}

TEST_CASE("chunks are listed in order and cover the original") {
  const Bytes original = walk(300000, 2, 5);
  const Bytes stored = packed(original, options_for("i16x2"));
  const Bytes twice = stored + stored;
  MemoryRandomAccess file(twice);
  for (const StreamInfo& stream : inspect(file).value()) {
    std::uint64_t next = 0;
    REQUIRE(for_each_chunk(file, stream, [&](const ChunkInfo& chunk) {
      CHECK(chunk.original_offset == next);
      const auto bytes = std::span(original).subspan(static_cast<std::size_t>(next), chunk.original_bytes);
      CHECK(chunk.digest == formats::xxh3_64(bytes));
      CHECK(chunk.plan == plan_for("i16x2").value());
      next += chunk.original_bytes;
      return true;
    }));
    CHECK(next == original.size());
  }
}

TEST_CASE("a visit that returns false stops the listing of chunks") {
  const Bytes stored = packed(walk(300000), options_for("i16"));
  MemoryRandomAccess file(stored);
  int visited = 0;
  REQUIRE(
      for_each_chunk(file, inspect(file).value().front(), [&](const ChunkInfo&) { return ++visited < 2; }));
  CHECK(visited == 2);
}

TEST_CASE("concatenated streams with padding are all found") {
  const Bytes a = packed(walk(100), options_for("i16"));
  const Bytes b = packed(Bytes{}, options_for("i16"));
  const Bytes all = a + Bytes(513) + b + a + Bytes(7);
  MemoryRandomAccess file(all);
  const auto streams = inspect(file).value();
  REQUIRE(streams.size() == 3);
  CHECK(streams[0].offset == 0);
  CHECK(streams[1].offset == a.size() + 513);
  CHECK(streams[1].original_bytes == 0);
  CHECK(streams[2].offset == a.size() + 513 + b.size());
}

TEST_CASE("every file that was cut short is truncated, and a file of another format is corrupt") {
  const Bytes stored = packed(walk(1000), options_for("i16"));
  for (std::size_t length = 0; length < stored.size(); ++length) {
    const Bytes cut = head(stored, length);
    MemoryRandomAccess file(cut);
    const auto result = inspect(file);
    INFO("cut to ", length);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::truncated);
  }
  const Bytes other = noise(1000);
  MemoryRandomAccess file(other);
  CHECK(inspect(file).error().kind == ErrorKind::corrupt);
}

TEST_CASE("after any flipped bit inspect fails or reports the right size") {
  const Bytes original = walk(500, 2, 3);
  const Bytes stored = packed(original, options_for("i16"));
  for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
    Bytes flipped = stored;
    flipped[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    MemoryRandomAccess file(flipped);
    const auto result = inspect(file);
    if (result) CHECK(result->front().original_bytes == original.size());
  }
}

TEST_CASE("inspect returns the same kind of error as decoding") {
  const Bytes stored = packed(walk(200000, 2, 3), options_for("i16"));
  const auto kind = [](const Bytes& file) {
    MemoryRandomAccess access(file);
    return inspect(access).error().kind;
  };
  const auto flipped = [&](std::size_t place) {
    Bytes damaged = stored;
    damaged[place] ^= std::byte{1};
    return damaged;
  };
  const std::size_t end = dissect(stored).back().offset;
  CHECK(kind(flipped(end + 50)) == ErrorKind::corrupt);
  CHECK(kind(flipped(stored.size() - 1)) == ErrorKind::corrupt);
  CHECK(kind(stored + noise(1000)) == ErrorKind::corrupt);
  CHECK(kind(stored + noise(1000) + stored) == ErrorKind::corrupt);
  CHECK(kind(head(stored, stored.size() - 1)) == ErrorKind::truncated);
  CHECK(kind(head(stored, end)) == ErrorKind::truncated);
}
