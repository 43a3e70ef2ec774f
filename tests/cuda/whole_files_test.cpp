// SPDX-License-Identifier: Apache-2.0
// Does a GPU restore, verify and compress whole files as the CPU does: values, ranges, errors, stored bytes?
#include <doctest/doctest.h>

#include <string>

#include "codec/decompress.hpp"
#include "codec/stream/memory_io.hpp"
#include "tests/codec/device_batch.hpp"
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/quick.hpp"

namespace tdz::test {
namespace {

DecompressOptions on(BackendChoice backend) {
  DecompressOptions options;
  options.backend = backend;
  options.threads = 4;
  options.warn = [](std::string_view line) { FAIL_CHECK(line); };
  return options;
}

/// Values, or the error, of both; and the same from a sink that takes bytes at any place.
Totals check_same(const Bytes& stored, const std::optional<Range>& range = {}) {
  DecompressOptions cpu = on(BackendChoice::cpu), cuda = on(BackendChoice::cuda);
  cpu.range = cuda.range = range;
  const auto wanted = decompress(stored, cpu);
  MemorySource ordered(stored), source(stored), again(stored);
  CollectingSink in_order;
  PositionedSink sink;
  const auto found = decompress(ordered, in_order, cuda);
  REQUIRE(bool(found) == bool(wanted));
  const auto placed = decompress(source, sink, cuda);
  const auto verified = verify_stream(again, cuda);
  REQUIRE(bool(placed) == bool(wanted));
  REQUIRE(bool(verified) == bool(wanted));
  if (wanted) {
    CHECK(in_order.collected == *wanted);
    CHECK(sink.collected == *wanted);
    CHECK(verified->original_bytes == wanted->size());
    return *found;  // only where bytes go out in order all work waits for the device
  }
  for (const Error& error : {found.error(), placed.error(), verified.error()}) {
    CHECK(error.kind == wanted.error().kind);
    CHECK(error.message == wanted.error().message);
    CHECK(error.where == wanted.error().where);
  }
  return {};
}

Bytes numbers_for(const Plan& plan, Chance& chance) {
  return pieces(chance, 1 + chance.below(3'000'000), 1 + chance.below(600'000), plan.columns[0].width);
}

/// For any kind of frames.
Plan any_device_plan(Chance& chance) {
  return chance.once_in(3) ? random_packed_plan(chance) : random_device_plan(chance);
}

/// Several streams of a plan each, in chunks of 64 KiB and more, with streams for the CPU between them.
Bytes streams_of(Chance& chance) {
  Bytes stored;
  for (std::uint64_t count = 1 + chance.below(4); count > 0; --count) {
    const Plan plan = chance.once_in(4) ? random_plan(chance) : any_device_plan(chance);
    const Bytes original = numbers_for(plan, chance);
    stored = stored + packed(original, options_for(plan, 65536u << chance.below(5)));
  }
  return stored;
}

}  // namespace

TEST_CASE("streams by chance, and ranges of them") {
  std::uint64_t on_device = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Bytes stored = streams_of(chance);
    on_device += check_same(stored).gpu_chunks;
    const std::uint64_t original = decompress(stored)->size();
    Range range{{chance.below(original)}, {}};
    if (!chance.once_in(3)) range.length = Extent{chance.below(original)};
    check_same(stored, range);
  }
  CHECK(on_device > 100);
}

TEST_CASE("damaged streams have the verdict of the CPU") {
  std::size_t bad = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = streams_of(chance);
    for (std::uint64_t flips = 1 + chance.below(3); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    if (!decompress(stored)) ++bad;
    check_same(stored);
  }
  CHECK(bad > 50);
}

TEST_CASE("a long file, with digest, little device memory and all devices") {
  const Plan plan{Coding::uniform,
                  {{2, 1, {DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}}}};
  const Bytes original = walk(300'000'000);
  const Bytes stored = packed(original, options_for(plan, 1u << 20));
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{100} << 20})
    for (const auto& numbers : {std::vector{0}, std::vector<int>()}) {
      DecompressOptions options = on(BackendChoice::cuda);
      options.device = {numbers, memory};
      options.compare_digest = true;
      CHECK(decompress(stored, options).value() == original);
    }
}

TEST_CASE("a long file of --fastest, with digest, little device memory and all devices") {
  CompressOptions how;
  how.search.emplace().effort = Effort::fastest;
  how.threads = 4;
  how.chunk_bytes = 1u << 20;
  const Bytes original = walk(300'000'000);
  const Bytes stored = packed(original, how);
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{100} << 20})
    for (const auto& numbers : {std::vector{0}, std::vector<int>()}) {
      DecompressOptions options = on(BackendChoice::cuda);
      options.device = {numbers, memory};
      options.compare_digest = true;
      std::string note;
      options.note = [&note](std::string_view line) { note = line; };
      CHECK(decompress(stored, options).value() == original);
      CHECK(note.find(" decodes 0 of") == note.npos);
    }
}

TEST_CASE("compressing gives the same bytes") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    const Plan plan = random_device_plan(chance);
    const Bytes original = numbers_for(plan, chance);
    CompressOptions options = options_for(plan, 65536u << chance.below(5));
    options.threads = static_cast<unsigned>(1 + chance.below(4));
    options.raw_prefix = chance.once_in(3) ? chance.below(70'000) : 0;
    const Bytes wanted = packed(original, options);
    options.backend = BackendChoice::cuda;
    options.warn = [](std::string_view line) { FAIL_CHECK(line); };
    // The CPU may encode some of them before the device has started; the next test sees the device encode.
    CHECK(packed(original, options) == wanted);
  }
}

TEST_CASE("a long file is compressed, with little device memory and all devices") {
  const Plan plan{Coding::uniform,
                  {{2, 1, {DifferenceStep{1, 1, 1024}, ZigzagStep{}, TokensStep{1, {3, 1}, 1024}}}}};
  const Bytes original = walk(300'000'001);
  CompressOptions options = options_for(plan, 1u << 20);
  options.threads = 4;
  const Bytes wanted = packed(original, options);
  options.backend = BackendChoice::cuda;
  options.warn = [](std::string_view line) { FAIL_CHECK(line); };
  std::string note;
  options.note = [&note](std::string_view line) { note = line; };
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{100} << 20})
    for (const auto& numbers : {std::vector{0}, std::vector<int>()}) {
      options.device = {numbers, memory};
      CHECK(packed(original, options) == wanted);
      CHECK(note.find(" of 287 chunks") != note.npos);
      CHECK(note.find(" 0 of 287") == note.npos);  // the CPU encodes until the device has started
    }
}

TEST_CASE("files in memory that is pinned already") {
  using testing::PinnedBuffer;
  const Plan plan{Coding::uniform, {{2, 1, {DifferenceStep{1, 1, 1024}, TokensStep{1, {3, 1}, 1024}}}}};
  const Bytes original = walk(40'000'000);
  CompressOptions options = options_for(plan, 1u << 20);
  options.backend = BackendChoice::cuda;
  for (const auto way : {PinnedBuffer::Way::allocated, PinnedBuffer::Way::registered}) {
    const Bytes stored = compress(PinnedBuffer(original, way).bytes(), options).value();
    CHECK(stored == packed(original, options_for(plan, 1u << 20)));
    CHECK(decompress(PinnedBuffer(stored, way).bytes(), on(BackendChoice::cuda)).value() == original);
  }
}

}  // namespace tdz::test
