// SPDX-License-Identifier: Apache-2.0
// Do pipes, slow inputs, threads, and inputs that change work?
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "codec/stream/memory_io.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

/// A slow pipe: it has no bytes for a while after each of the given lengths.
class StallingSource : public Source {
 public:
  StallingSource(std::span<const std::byte> bytes, std::vector<std::size_t> bursts)
      : rest_(bytes), bursts_(std::move(bursts)) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    if (burst_left_ == 0) next_burst();
    const std::size_t bytes = std::min({into.size(), rest_.size(), burst_left_});
    std::copy_n(rest_.begin(), bytes, into.begin());
    rest_ = rest_.subspan(bytes);
    burst_left_ -= bytes;
    return bytes;
  }
  bool ready_within(std::chrono::milliseconds) override { return burst_left_ != 0 || rest_.empty(); }

 private:
  void next_burst() { burst_left_ = at_ < bursts_.size() ? bursts_[at_++] : rest_.size(); }
  std::span<const std::byte> rest_;
  std::vector<std::size_t> bursts_;
  std::size_t at_ = 0;
  std::size_t burst_left_ = 0;
};

/// Counts the bytes written. Another thread may read the count.
class CountingSink : public Sink {
 public:
  Status write(std::span<const std::byte> bytes) override {
    written_ += bytes.size();
    return ok();
  }
  std::size_t written() const { return written_; }

 private:
  std::atomic<std::size_t> written_ = 0;
};

/// Never stalls: every read returns a few bytes. Ends when `enough` bytes have been written, or after
/// kMaxReads reads.
class SteadySource : public Source {
 public:
  SteadySource(const CountingSink& to, std::size_t enough) : to_(to), enough_(enough) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    if (was_flushed() || ++reads_ > kMaxReads) return std::size_t{0};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::size_t bytes = std::min<std::size_t>(into.size(), 16);
    std::ranges::fill(into.first(bytes), static_cast<std::byte>(reads_));
    return bytes;
  }
  bool was_flushed() const { return to_.written() >= enough_; }

 private:
  static constexpr std::size_t kMaxReads = 60'000;
  const CountingSink& to_;
  std::size_t enough_;
  std::size_t reads_ = 0;
};

/// Its size() differs from the number of bytes that it returns.
class WrongSizeSource : public MemorySource {
 public:
  WrongSizeSource(std::span<const std::byte> bytes, std::uint64_t announced)
      : MemorySource(bytes), announced_(announced) {}
  std::optional<std::uint64_t> size() const override { return announced_; }

 private:
  std::uint64_t announced_;
};

class FailingSink : public Sink {
 public:
  explicit FailingSink(std::size_t writes) : left_(writes) {}
  Status write(std::span<const std::byte>) override {
    if (left_-- == 0) return Error{ErrorKind::io, "the disk is full"};
    return ok();
  }

 private:
  std::size_t left_;
};

Bytes packed_from(Source& from, const CompressOptions& options) {
  CollectingSink to;
  const auto result = compress(from, to, options);
  REQUIRE(result);
  CHECK(result->stored_bytes == to.collected.size());
  return to.collected;
}

}  // namespace

TEST_CASE("input in pieces of any length gives the same chunks, and decodes in pieces") {
  const Bytes original = walk(300001, 4, 3);
  const auto options = options_for("i32x3");
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    INFO("seed ", seed);
    PieceSource from(original, seed, seed * 700);
    const Bytes stored = packed_from(from, options);
    PieceSource again(stored, seed + 100, seed * 311);
    CollectingSink to;
    const auto totals = decompress(again, to, one_thread());
    REQUIRE(totals);
    CHECK(totals->original_bytes == original.size());
    CHECK(totals->stored_bytes == stored.size());
    CHECK(to.collected == original);
  }
}

TEST_CASE("the bytes depend neither on threads nor on the lengths that the source returns") {
  const Bytes original = walk(1000003, 2, 41);
  auto options = options_for("i16x2");
  PieceSource one(original, 1, 4000);
  const Bytes expected = packed_from(one, options);
  for (const unsigned threads : {2u, 3u, 8u}) {
    options.threads = threads;
    PieceSource from(original, threads, 100000);
    CHECK(packed_from(from, options) == expected);
    DecompressOptions back;
    back.threads = threads;
    CHECK(decompress(expected, back).value() == original);
  }
}

TEST_CASE("a positioned output is written at its offsets, across concatenated streams") {
  const Bytes original = walk(500000, 2, 43);
  const Bytes stored = packed(original, options_for("i16x2"));
  const Bytes twice = stored + stored;
  MemorySource from(twice);
  PositionedSink to;
  DecompressOptions options;
  options.threads = 4;
  REQUIRE(decompress(from, to, options));
  CHECK(to.collected == original + original);
}

TEST_CASE("a slow input is flushed as a short chunk of whole tuples, and no byte is lost") {
  const Bytes original = walk(10000, 2, 47);
  auto options = options_for("i16x2");
  options.flush_after = std::chrono::milliseconds(1);
  StallingSource from(original, {7, 1, 4, 1001, 3, 5000});
  const Bytes stored = packed_from(from, options);
  CHECK(decompress(stored, one_thread()).value() == original);
  const auto pieces = dissect(stored);
  CHECK(std::ranges::count(pieces, formats::RecordKind::chunk, &Piece::kind) >= 4);
}

TEST_CASE("an input that always has a few bytes is flushed too") {
  auto options = options_for("i16x4");
  for (const bool searched : {false, true}) {
    INFO("searched ", searched);
    if (searched) options.search = SearchOptions{};
    CountingSink to;
    SteadySource from(to, 1000);
    options.flush_after = std::chrono::milliseconds(30);
    REQUIRE(compress(from, to, options));
    CHECK(from.was_flushed());
  }
}

TEST_CASE("more chunks than one index part holds are written, read, and listed") {
  const Bytes original = walk(4 * 70000, 4, 59);
  auto options = options_for("i32");
  options.flush_after = std::chrono::milliseconds(0);
  StallingSource from(original, std::vector<std::size_t>(70000, 4));
  const Bytes stored = packed_from(from, options);
  CHECK(decompress(stored, one_thread()).value() == original);
  MemoryRandomAccess file(stored);
  const auto streams = inspect(file).value();
  CHECK(streams.front().chunks == 70000);
  std::uint64_t next = 0;
  REQUIRE(
      for_each_chunk(file, streams.front(), [&](const ChunkInfo& chunk) { return chunk.number == next++; }));
  CHECK(next == 70000);
}

TEST_CASE("without flush_after a slow input makes no short chunk") {
  const Bytes original = walk(10000, 2, 47);
  StallingSource from(original, {7, 1, 4, 1001, 3, 5000});
  const auto pieces = dissect(packed_from(from, options_for("i16x2")));
  CHECK(std::ranges::count(pieces, formats::RecordKind::chunk, &Piece::kind) == 1);
}

TEST_CASE("an input that is shorter or longer than it announced is an io error") {
  const Bytes original = walk(200000);
  for (const std::uint64_t announced : {std::uint64_t{0}, std::uint64_t{199999}, std::uint64_t{200001}}) {
    WrongSizeSource from(original, announced);
    CollectingSink to;
    const auto result = compress(from, to, options_for("i16"));
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::io);
  }
}

TEST_CASE("a failing output ends the call with its error, at any write and with any number of threads") {
  const Bytes original = walk(400000, 2, 53);
  const Bytes stored = packed(original, options_for("i16"));
  for (const unsigned threads : {1u, 2u, 4u}) {
    for (std::size_t writes = 0; writes < 6; ++writes) {
      auto options = options_for("i16");
      options.threads = threads;
      FailingSink to(writes);
      MemorySource from(original);
      const auto result = compress(from, to, options);
      REQUIRE_FALSE(result);
      CHECK(result.error().kind == ErrorKind::io);
      FailingSink back(writes);
      MemorySource again(stored);
      DecompressOptions decoding;
      decoding.threads = threads;
      REQUIRE_FALSE(decompress(again, back, decoding));
    }
  }
}

TEST_CASE("a stop request ends the call as cancelled") {
  std::stop_source stop;
  auto options = options_for("i16");
  options.stop = stop.get_token();
  options.progress = [&](const Progress&) { stop.request_stop(); };
  const auto result = compress(walk(1000000), options);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::cancelled);
}

TEST_CASE("progress grows and ends at the totals") {
  std::uint64_t last = 0;
  auto options = options_for("i16");
  options.progress = [&](const Progress& progress) {
    CHECK(progress.original_bytes > last);
    last = progress.original_bytes;
  };
  REQUIRE(compress(walk(300000), options));
  CHECK(last == 300000);
}
