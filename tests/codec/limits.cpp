// SPDX-License-Identifier: Apache-2.0
// Do memory and output stay within the limits? Are workers given up before there is an error? Does no length
// in a file alone cause an allocation?
#include <doctest/doctest.h>

#include "codec/stream/memory_io.hpp"
#include "codec/stream/memory_limit.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/stream_state.hpp"
#include "kernels/buffer.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr std::uint64_t kMiB = 1u << 20;

Result<Bytes> restored(const Bytes& stored, std::uint64_t memory, unsigned threads = 4) {
  DecompressOptions options;
  options.threads = threads;
  options.memory = memory;
  return decompress(stored, options);
}

}  // namespace

TEST_CASE("slots are given up first, then workers, then there is an error") {
  const MemoryNeeds needs{.slot = 10, .worker = 100};
  const auto size = [&](std::uint64_t limit) { return size_within(limit, usual_size(4), needs); };
  CHECK(size(480) == PipelineSize{4, 8});
  CHECK(size(479) == PipelineSize{4, 7});
  CHECK(size(440) == PipelineSize{4, 4});
  CHECK(size(439) == PipelineSize{3, 3});
  CHECK(size(110) == PipelineSize{1, 1});
  CHECK_FALSE(size(109));
}

TEST_CASE("the pipeline is as large as the limit allows, and not larger") {
  for (std::uint64_t bytes = 1; bytes < kMiB; bytes = bytes * 3 + 1) {
    const MemoryNeeds needs{2 * bytes, 3 * bytes + 7};
    for (const unsigned workers : {1u, 2u, 7u}) {
      const auto wanted = usual_size(workers);
      CHECK(size_within(needs.of(wanted), wanted, needs) == wanted);
      const auto less = size_within(needs.of(wanted) - 1, wanted, needs);
      if (less) CHECK(needs.of(*less) < needs.of(wanted));
    }
  }
}

TEST_CASE("fields say all of their columns, and a row has at most 65536 bytes") {
  const Bytes original = walk(1000);
  CompressOptions options;
  const SearchOptions fields{.fields = {{'u', 4, 1}, {'i', 2, 2}}};
  options.search = fields;
  CHECK(compress(original, options));
  for (const auto member : {&SearchOptions::tuple, &SearchOptions::row}) {
    options.search = fields;
    (*options.search).*member = 3;
    CHECK(compress(original, options).error().kind == ErrorKind::usage);
  }
  options.search = fields;
  options.search->word = 4;
  CHECK(compress(original, options).error().kind == ErrorKind::usage);
  options.search = SearchOptions{.fields = {{'u', 1, 70000}, {'u', 2, 1}}};
  CHECK(compress(original, options).error().kind == ErrorKind::usage);
}

TEST_CASE("any limit that is enough for one chunk gives the same bytes") {
  const Bytes original = walk(40 * 65536 + 3, 2, 5);
  const Bytes stored = packed(original, options_for("i16"));
  for (const std::uint64_t memory : {std::uint64_t{600000}, kMiB, 2 * kMiB, 5 * kMiB, std::uint64_t{0}}) {
    INFO("memory ", memory);
    CHECK(restored(stored, memory).value() == original);
  }
  const auto error = restored(stored, 400000).error();
  CHECK(error.kind == ErrorKind::limit);
  CHECK(error.message.find("iB of memory") != std::string::npos);
}

TEST_CASE("if the chunks become larger, the running pipeline becomes smaller") {
  const Bytes small = noise(20 * 65536, 1), medium = noise(3 * kMiB, 2), large = noise(9 * kMiB, 3);
  const Bytes stored = packed(small, options_for(Column{})) + packed(medium, options_for(Column{}, kMiB)) +
                       packed(large, options_for(Column{}, 4 * kMiB)) + packed(small, options_for(Column{}));
  const Bytes original = small + medium + large + small;
  for (const std::uint64_t memory : {17 * kMiB, 24 * kMiB, 40 * kMiB, 100 * kMiB}) {
    INFO("memory ", memory);
    CHECK(restored(stored, memory).value() == original);
  }
  // All chunks before the first one that is too large have been written.
  MemorySource from(stored);
  CollectingSink to;
  DecompressOptions options;
  options.memory = 10 * kMiB;
  CHECK(decompress(from, to, options).error().kind == ErrorKind::limit);
  CHECK(to.collected == small + medium);
}

TEST_CASE("with a memory limit compression writes the same bytes or fails") {
  const Bytes original = walk(30 * 65536, 2, 9);
  auto options = options_for("i16");
  options.threads = 4;
  const Bytes stored = packed(original, options);
  for (const std::uint64_t memory : {3 * kMiB, 6 * kMiB, 100 * kMiB}) {
    options.memory = memory;
    CHECK(packed(original, options) == stored);
  }
  options.memory = 1;
  CHECK(compress(original, options).error().kind == ErrorKind::limit);
}

TEST_CASE("a higher level and larger chunks need more memory") {
  const auto needs = [](int level, std::uint64_t chunk) {
    return encoding_needs(std::vector<Recipe>(1), level, chunk, chunk, 0).of({});
  };
  CHECK(needs(3, kMiB) < needs(19, kMiB));
  CHECK(needs(3, kMiB) < needs(3, 8 * kMiB));
  CHECK(encoding_needs(std::vector<Recipe>(1), 3, kMiB, kMiB, 65536).of({}) > needs(3, kMiB));
}

TEST_CASE("writing a grid needs memory for its lines and for the blocks that train it") {
  const auto needs = [](std::uint32_t line) {
    Column column;
    column.width = 4;
    if (line > 0) column.steps = {GridStep{1, Sign::is_signed, line, 0, 0x1F}};
    std::vector<Recipe> recipes(1);
    recipes[0].plan.columns = {column};
    return encoding_needs(recipes, 3, kMiB, kMiB, 0).worker;
  };
  CHECK(needs(256) > needs(0) + 4 * kMiB);
  CHECK(needs(256) < needs(0) + 10 * kMiB);
  CHECK(needs(16) > needs(256));  // room around each line
}

TEST_CASE("recovery respects its memory limit") {
  const Bytes stored = packed(noise(3 << 20), options_for(Column{}, kMiB));
  MemoryRandomAccess file(stored);
  RecoverOptions options;
  for (const std::uint64_t memory : {5 * kMiB, 3 * kMiB}) {
    MemorySink to;
    options.memory = memory;
    const auto result = recover(file, to, options);
    CHECK(static_cast<bool>(result) == (memory == 5 * kMiB));
    if (!result) CHECK(result.error().kind == ErrorKind::limit);
  }
}

TEST_CASE("output up to the limit is written, longer output is an error") {
  const Bytes original(3 << 20);  // zeros: their stream is very short
  const Bytes stored = packed(original, options_for(Column{})) + packed(Bytes(10), options_for(Column{}));
  REQUIRE(stored.size() < 20000);
  auto options = one_thread();
  options.max_output = original.size() + 10;
  CHECK(decompress(stored, options).value().size() == original.size() + 10);
  --options.max_output;
  CHECK(decompress(stored, options).error().kind == ErrorKind::limit);
  options.max_output = 5;
  options.range = Range{{100, false}, Extent{5, false}};
  CHECK(decompress(stored, options).value() == Bytes(5));
}

namespace {

/// A stream that ends behind CHK: a chunk of 1 GiB of plain bytes in one frame of `packed` bytes.
Bytes claimed(std::uint32_t packed) {
  using namespace formats;
  const StreamHeader header{.largest_chunk = kMaxChunk, .largest_frame = kMaxChunk};
  const Bytes head = serialize(header);
  ChunkRecord chunk;
  chunk.original_bytes = kMaxChunk;
  chunk.plan = formats::serialize(plain_plan());
  chunk.substreams = {kMaxChunk};
  chunk.frames = {{packed, kMaxChunk}};
  StreamState(header, head).place(chunk);
  return head + serialize(chunk);
}

}  // namespace

TEST_CASE("a record that claims a large chunk takes no memory until the bytes arrive") {
  const Bytes stored = claimed(formats::kMaxChunk) + Bytes(100);
  CHECK(restored(stored, 100 * kMiB).error().kind == ErrorKind::limit);
  // 32 bits may have room for it or not. If they have, the bytes are missing.
  const bool may_lack_room = sizeof(void*) == 4;
  const ErrorKind kind = restored(stored, std::uint64_t{8} << 30, 1).error().kind;
  CHECK((kind == ErrorKind::truncated || (may_lack_room && kind == ErrorKind::limit)));
}

TEST_CASE("a file that ends inside frames is truncated, even if its chunk needs too much memory") {
  constexpr std::uint32_t kShortest = 4 << 13;
  const Bytes record = claimed(kShortest);
  CHECK(restored(record + Bytes(kShortest - 1), 100 * kMiB).error().kind == ErrorKind::truncated);
  CHECK(restored(record + Bytes(kShortest), 100 * kMiB).error().kind == ErrorKind::limit);
}

TEST_CASE("memory that grows keeps its first bytes, also where it begins to use long pages") {
  for (const std::size_t bytes : {std::size_t{1} << 20, (std::size_t{2} << 20) - 1, std::size_t{2} << 20,
                                  (std::size_t{4} << 20) - 100, std::size_t{5} << 20}) {
    const Bytes content = noise(bytes, 3);
    Buffer buffer;
    std::ranges::copy(content, buffer.take(bytes).begin());
    const auto longer = buffer.grow(2 * bytes + 1, bytes);
    CHECK(longer.size() == 2 * bytes + 1);
    CHECK(std::ranges::equal(longer.first(bytes), content));
    std::ranges::fill(longer, std::byte{1});
  }
}
