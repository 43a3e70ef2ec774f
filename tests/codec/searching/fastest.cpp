// SPDX-License-Identifier: Apache-2.0
// Effort::fastest: does all that it writes come back, whatever the numbers are and whatever the caller says
// of them; and is it never larger than the input by more than records?
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string_view>

#include "codec/decompress.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/bytes.hpp"
#include "tests/codec/support.hpp"

using namespace tdz;
using namespace tdz::test;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

CompressOptions fastest(SearchOptions search = {}, std::uint32_t chunk = 0) {
  CompressOptions options;
  search.effort = Effort::fastest;
  options.search = std::move(search);
  options.chunk_bytes = chunk;
  options.threads = 1;
  return options;
}

/// Of records, and of the headers of frames and blocks.
std::size_t most_records(std::size_t original) {
  return 600 + (original / formats::kMinChunk + 1) * 300;
}

/// Compresses, checks that the original comes back and that the stream is not longer than it may be.
Bytes checked(const Bytes& original, const CompressOptions& options = fastest()) {
  const Bytes stored = packed(original, options);
  CHECK(decompress(stored, one_thread()).value() == original);
  CHECK(stored.size() <= original.size() + most_records(original.size()));
  return stored;
}

StreamInfo info_of(const Bytes& stored) {
  MemoryRandomAccess file(stored);
  return inspect(file).value().front();
}

bool has_packed(const Column& column) {
  return !column.steps.empty() && std::holds_alternative<PackedStep>(column.steps.back());
}

bool has_packed(const StreamInfo& info) {
  return std::ranges::any_of(info.plans, [](const Plan& plan) {
    return std::ranges::any_of(plan.columns, [](const Column& column) { return has_packed(column); });
  });
}

/// Lanes of walks, each with steps of its own.
Bytes lanes(std::size_t records, unsigned word, unsigned tuple) {
  Bytes all;
  std::vector<Bytes> walks;
  for (unsigned lane = 0; lane < tuple; ++lane) walks.push_back(walk(records * word, word, 1000 * lane + 7));
  for (std::size_t r = 0; r < records; ++r)
    for (const Bytes& one : walks) all = std::move(all) + slice(one, r * word, word);
  return all;
}

Bytes swapped(Bytes numbers, std::size_t word) {
  for (std::size_t at = 0; at + word <= numbers.size(); at += word)
    std::ranges::reverse(std::span(numbers).subspan(at, word));
  return numbers;
}

Bytes text(std::size_t bytes) {
  constexpr std::array<std::string_view, 5> kWords = {"so ", "much ", "depends ", "upon ", "a red wheel "};
  Bytes all;
  for (std::uint32_t i = 1; all.size() < bytes; ++i)
    formats::put_bytes(all, std::as_bytes(std::span(kWords[i * i % 7919 % 5])));
  return head(all, bytes);
}

}  // namespace

TEST_CASE("fastest: every word and tuple comes back, told and found, and is smaller") {
  for (const unsigned word : {1u, 2u, 4u, 8u}) {
    for (const unsigned tuple : {1u, 2u, 3u, 5u, 300u}) {
      INFO("word ", word, ", tuple ", tuple);
      const Bytes original = lanes(tuple == 300 ? 400 : 9000, word, tuple) + Bytes(3, std::byte{9});
      const Bytes told = checked(original, fastest({.word = std::uint8_t(word), .tuple = tuple}));
      CHECK(has_packed(info_of(told)));
      CHECK(told.size() < original.size());
      checked(original);
    }
  }
}

TEST_CASE(
    "fastest: fields of a row are columns, also words of 3, 5, 6 and 7 bytes, and bytes stay after them") {
  Bytes original;
  const Bytes times = walk(8 * 5000, 8, 3), points = walk(15 * 5000, 3, 5), depths = walk(5 * 5000, 5, 7);
  const Bytes marks = walk(14 * 5000, 7, 9), states = noise(5000, 2);
  for (std::size_t r = 0; r < 5000; ++r)
    original = std::move(original) + slice(times, 8 * r, 8) + slice(points, 15 * r, 15) +
               slice(depths, 5 * r, 5) + slice(marks, 14 * r, 14) + slice(states, r, 1);
  original.resize(original.size() - 11);
  const SearchOptions request{.fields = {{'u', 8, 1}, {'i', 3, 5}, {'u', 5, 1}, {'u', 7, 2}, {'u', 1, 1}}};
  const Bytes stored = checked(original, fastest(request));
  const auto plans = info_of(stored).plans;
  REQUIRE(plans.size() == 1);
  REQUIRE(plans[0].columns.size() == 5);
  for (const std::size_t c : {0u, 1u, 2u, 3u}) CHECK(has_packed(plans[0].columns[c]));
  CHECK_FALSE(has_packed(plans[0].columns[4]));  // noise
  CHECK(stored.size() * 2 < original.size());
}

TEST_CASE("fastest keeps what the caller says") {
  const Bytes original = walk(300'000, 4, 3);
  const auto steps = [&](const Bytes& numbers, const SearchOptions& request) {
    const auto plans = info_of(checked(numbers, fastest(request))).plans;
    REQUIRE(plans.size() == 1);
    REQUIRE(plans[0].columns.size() == 1);
    CHECK(has_packed(plans[0].columns[0]));
    return plans[0].columns[0].steps;
  };
  const auto row = steps(original, {.word = std::uint8_t{4}, .row = 100u});
  CHECK(std::ranges::count(row, PlanStep(DifferenceStep{100, 1})) == 1);
  const auto order =
      steps(original, {.word = std::uint8_t{4}, .tuple = 3u, .order = std::uint8_t{5}, .row = 0u});
  CHECK(std::ranges::count(order, PlanStep(DifferenceStep{3, 5})) == 1);
  const auto big = steps(swapped(original, 4), {.word = std::uint8_t{4}, .big_endian = true});
  CHECK(big.front() == PlanStep(ByteswapStep{}));
  const auto found = steps(swapped(original, 4), {});
  CHECK(found.front() == PlanStep(ByteswapStep{}));
  const auto plain = steps(original, {.word = std::uint8_t{4}, .order = std::uint8_t{0}, .zigzag = false});
  CHECK(std::ranges::none_of(plain,
                             [](const PlanStep& step) { return std::holds_alternative<ZigzagStep>(step); }));
}

TEST_CASE("fastest: scale, where it saves a fifth") {
  Bytes prices;
  for (std::uint32_t i = 0; i < 40'000; ++i)
    formats::put_le(prices, std::bit_cast<std::uint64_t>(static_cast<double>(200'000 + i * i % 997) / 100));
  const Bytes stored = checked(prices);
  CHECK(has_packed(info_of(stored)));
  CHECK(stored.size() * 4 < prices.size());
}

TEST_CASE("fastest: noise, text, and mixtures are never larger than the input by more than records") {
  const Bytes numbers = walk(kMiB / 2, 2, 5);
  for (const Bytes& original :
       {noise(3 * kMiB), noise(70'000, 3), text(200'000), Bytes(500'000), numbers + noise(kMiB),
        noise(kMiB) + numbers, noise(65'536, 5) + numbers + text(65'536)}) {
    for (const std::uint32_t chunk : {0u, formats::kMinChunk}) {
      INFO(original.size(), " bytes, chunk ", chunk);
      checked(original, fastest({}, chunk));
      checked(original, fastest({.word = std::uint8_t{8}, .order = std::uint8_t{8}}, chunk));
    }
  }
}

TEST_CASE("fastest: where samples promised more than chunks hold, these are plain bytes") {
  CompressOptions options = options_for(Column{});
  options.plan.columns = {{1, 3, {DifferenceStep{3, 1}, ZigzagStep{}, PackedStep{3}}}, {2, 1, {}}};
  options.plan.packing.planes = {Packing::stored};
  checked(noise(300'000), options);  // groups of bytes alone are 2 % longer
  options.plan.columns.pop_back();
  checked(noise(300'000), options);
  options.plan.packing.planes.clear();
  checked(noise(300'000), options);
}

TEST_CASE("fastest: empty, short, and odd inputs come back") {
  for (std::size_t length = 0; length < 300; ++length) {
    INFO("length ", length);
    checked(walk(length, 2, 5));
    checked(noise(length));
    checked(walk(length, 2, 5), fastest({.word = std::uint8_t{8}, .tuple = 300u}));
  }
}

TEST_CASE("fastest: a stream is of version 1.1 where it may have packed, else of 1.0") {
  CHECK(info_of(checked(walk(kMiB, 2, 3))).version_minor == 1);
  CHECK(info_of(checked(noise(kMiB))).version_minor == 0);
  CHECK(info_of(checked(Bytes{})).version_minor == 0);
  CompressOptions other = fastest();
  other.search->effort = Effort::fast;
  CHECK(info_of(packed(walk(kMiB, 2, 3), other)).version_minor == 0);
}

TEST_CASE("fastest: the same bytes with any number of threads, from a pipe and from a file") {
  const Bytes original = lanes(300'000, 2, 3) + noise(100'000) + walk(200'001, 4, 5);
  CompressOptions options = fastest({}, formats::kMinChunk);
  const Bytes stored = checked(original, options);
  for (const unsigned threads : {2u, 4u}) {
    options.threads = threads;
    CHECK(packed(original, options) == stored);
  }
  MemorySource file(original);
  CollectingSink of_file;
  REQUIRE(compress(file, of_file, options));
  CHECK(of_file.collected == stored);
  PieceSource pipe(original, 3, 70'000);
  CollectingSink of_pipe;
  REQUIRE(compress(pipe, of_pipe, options));
  // HDR alone differs: a pipe does not know its size. So do the ids that follow from HDR.
  CHECK(of_pipe.collected.size() == stored.size());
  CHECK(info_of(of_pipe.collected).plans == info_of(stored).plans);
  CHECK(decompress(of_pipe.collected).value() == original);
}

TEST_CASE("fastest: a raw prefix is a chunk of its own") {
  const Bytes original = noise(44) + walk(200'000, 2, 3);
  CompressOptions options = fastest();
  options.raw_prefix = 44;
  CHECK(checked(original, options).size() * 2 < original.size());
}

TEST_CASE("fastest: memory limits give the same bytes, or an error") {
  const Bytes original = lanes(600'000, 2, 3);
  CompressOptions options = fastest({}, kMiB);
  options.threads = 4;
  const Bytes stored = packed(original, options);
  bool was_refused = false, was_enough = false;
  for (std::uint64_t memory = kMiB / 2; memory < 40 * kMiB; memory *= 2) {
    INFO("memory ", memory);
    options.memory = memory;
    const auto again = compress(original, options);
    if (again) CHECK(*again == stored);
    DecompressOptions restoring{.threads = 4, .memory = memory};
    const auto restored = decompress(stored, restoring);
    if (restored) CHECK(*restored == original);
    for (const Error* error : {again ? nullptr : &again.error(), restored ? nullptr : &restored.error()})
      if (error != nullptr) CHECK(error->kind == ErrorKind::limit);
    was_refused = was_refused || (!again && !restored);
    was_enough = was_enough || (again && restored);
  }
  CHECK(was_refused);
  CHECK(was_enough);
}

TEST_CASE("fastest: ranges are that part of the original") {
  const Bytes original = lanes(120'000, 2, 3);
  const Bytes stored = checked(original, fastest({}, formats::kMinChunk));
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    const std::size_t begin = random() % original.size(), length = random() % (original.size() - begin);
    auto options = one_thread();
    options.range = Range{{begin, false}, Extent{length, false}};
    CHECK(decompress(stored, options).value() == slice(original, begin, length));
  }
}

TEST_CASE("fastest: a stream verifies, and damage anywhere is found") {
  const Bytes original = lanes(30'000, 2, 3);
  const Bytes stored = checked(original, fastest({}, formats::kMinChunk));
  MemorySource good(stored);
  CHECK(verify_stream(good, one_thread()).value().original_bytes == original.size());
  for (std::size_t at = 0; at < stored.size(); at += 97) {
    INFO("byte ", at);
    Bytes damaged = stored;
    damaged[at] ^= std::byte{0x10};
    MemorySource from(damaged);
    const auto verdict = verify_stream(from, one_thread());
    if (verdict) continue;
    CHECK((verdict.error().kind == ErrorKind::corrupt || verdict.error().kind == ErrorKind::unsupported));
  }
}

TEST_CASE("fastest: recovery restores every chunk but the damaged ones") {
  const Bytes original = lanes(60'000, 2, 3);
  Bytes damaged = checked(original, fastest({}, formats::kMinChunk));
  auto pieces = dissect(damaged);
  REQUIRE(pieces[3].kind == formats::RecordKind::chunk);
  damaged[pieces[3].offset + pieces[3].bytes.size() / 2] ^= std::byte{1};
  MemoryRandomAccess file(damaged);
  PositionedSink to;
  std::vector<MissingRange> missing;
  RecoverOptions options;
  options.missing = [&](const MissingRange& range) { missing.push_back(range); };
  const auto totals = recover(file, to, options);
  REQUIRE(totals);
  REQUIRE(missing.size() == 1);
  REQUIRE(missing[0].length);
  CHECK(*missing[0].length <= formats::kMinChunk);
  const auto begin = static_cast<std::size_t>(missing[0].offset);
  const auto length = static_cast<std::size_t>(*missing[0].length);
  CHECK(to.collected == head(original, begin) + Bytes(length) + tail(original, begin + length));
}

TEST_CASE("fastest takes no layout, and analyze says what compress does") {
  CHECK(compress(walk(1000), fastest({.layout = Layout::planes})).error().kind == ErrorKind::usage);
  const Bytes original = lanes(50'000, 2, 3);
  MemorySource from(original);
  const auto analysis = analyze(from, fastest());
  REQUIRE(analysis);
  REQUIRE(analysis->chosen.size() == 1);
  const Bytes stored = checked(original);
  CHECK(analysis->chosen[0].columns == info_of(stored).plans.front().columns);
  CHECK(analysis->stored_bytes == stored.size());
  // The plan alone gives the same bytes.
  CompressOptions again;
  again.plan = analysis->chosen[0];
  again.type = analysis->type;
  again.threads = 1;
  CHECK(packed(original, again) == stored);
}
