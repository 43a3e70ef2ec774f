// SPDX-License-Identifier: Apache-2.0
// What does a call return if the caller's side fails: no memory in a Source, a Sink or a file, an output that
// cannot take offsets, a limit? And does recovery accept records that this version never writes?
#include <doctest/doctest.h>

#include <new>

#include "codec/stream/memory_io.hpp"
#include "formats/stream/record.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;
using formats::RecordKind;

namespace {

class SourceWithoutMemory final : public Source {
 public:
  Result<std::size_t> read(std::span<std::byte>) override { throw std::bad_alloc(); }
};

class SinkWithoutMemory final : public Sink {
 public:
  Status write(std::span<const std::byte>) override { throw std::bad_alloc(); }
};

class FileWithoutMemory final : public RandomAccess {
 public:
  std::uint64_t size() const override { return 100000; }
  Status read_at(std::uint64_t, std::span<std::byte>) override { throw std::bad_alloc(); }
};

template <class T>
bool is_limit(const Result<T>& result) {
  return !result && result.error().kind == ErrorKind::limit;
}

}  // namespace

TEST_CASE("every call returns Error limit if a Source, Sink or file has no memory") {
  const Bytes original = walk(200000);
  const Bytes stored = packed(original, options_for("i16"));
  for (const unsigned threads : {1u, 3u}) {
    CAPTURE(threads);
    CompressOptions writing = options_for("i16");
    DecompressOptions reading;
    writing.threads = reading.threads = threads;
    SourceWithoutMemory source;
    SinkWithoutMemory sink;
    CollectingSink nowhere;
    MemorySource whole(original), packed_whole(stored);
    CHECK(is_limit(compress(source, nowhere, writing)));
    CHECK(is_limit(compress(whole, sink, writing)));
    CHECK(is_limit(decompress(source, nowhere, reading)));
    CHECK(is_limit(decompress(packed_whole, sink, reading)));
  }
  SourceWithoutMemory source;
  CompressOptions search;
  search.search = SearchOptions{};
  CHECK(is_limit(analyze(source, search)));
  FileWithoutMemory file;
  CollectingSink nowhere;
  CHECK(is_limit(inspect(file)));
  CHECK(is_limit(recover(file, nowhere)));
  MemoryRandomAccess good(stored);
  const auto stream = inspect(good).value().front();
  CHECK(is_limit(for_each_chunk(file, stream, [](const ChunkInfo&) { return true; })));
}

TEST_CASE("a sink that is not positioned refuses offsets, and a file refuses to read beyond its end") {
  CollectingSink in_order;
  CHECK(in_order.write_at(0, {}).error().kind == ErrorKind::usage);
  const Bytes bytes(10);
  MemoryRandomAccess file(bytes);
  Bytes into(4);
  CHECK(file.read_at(6, into));
  CHECK(file.read_at(7, into).error().kind == ErrorKind::io);
  CHECK(file.read_at(11, into).error().kind == ErrorKind::io);
}

TEST_CASE("recover reports its progress and respects its limits") {
  const Bytes original = noise(5 * 65536);
  const Bytes stored = packed(original, options_for(Column{}));
  MemoryRandomAccess file(stored);
  CollectingSink to;
  RecoverOptions options;
  std::uint64_t last = 0, calls = 0;
  options.progress = [&](const Progress& now) {
    CHECK(now.original_bytes > last);
    last = now.original_bytes;
    ++calls;
  };
  REQUIRE(recover(file, to, options));
  CHECK(calls == 5);
  CHECK(last == original.size());
  for (const std::uint64_t most : {0u, 65536u, 5 * 65536u - 1}) {
    options = {};
    options.max_output = most;
    CollectingSink little;
    CHECK(is_limit(recover(file, little, options)));
    CHECK(little.collected.size() <= most);
  }
}

TEST_CASE("after a lost end, a header in the place of a chunk begins the next stream") {
  const Bytes a = noise(2 * 65536, 1), b = noise(65536, 2);
  auto first = dissect(packed(a, options_for(Column{})));
  const auto second = dissect(packed(b, options_for(Column{})));
  first.resize(3);  // header and both chunks
  first.insert(first.end(), second.begin(), second.end());
  const Bytes stored = joined(first);
  MemoryRandomAccess file(stored);
  CollectingSink to;
  const auto recovered = recover(file, to);
  REQUIRE(recovered);
  CHECK(to.collected == a + b);
}
