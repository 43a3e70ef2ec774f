// SPDX-License-Identifier: Apache-2.0
// Does a lone block give its original back, alone and cut out of a stream, and is every other input refused?
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/stream_state.hpp"
#include "tdz/block.hpp"
#include "tdz/tdz.hpp"
#include "tests/codec/random_plans.hpp"

namespace tdz::test {
namespace {

using Bytes = std::vector<std::byte>;

Plan plan_for(std::string_view types) {
  return *formats::plan_of(*formats::parse_types(types));
}

Bytes some_chunk(std::size_t bytes, std::uint64_t seed = 3) {
  Chance chance(seed);
  return random_chunk(chance, bytes);
}

Bytes noise(std::size_t bytes) {
  Chance chance(5);
  Bytes made(bytes);
  for (std::byte& b : made) b = static_cast<std::byte>(chance.bits());
  return made;
}

formats::ChunkRecord record_of(const Bytes& block) {
  const auto prefix = formats::parse_prefix(block, {.chunk = true}, 0);
  return parse_with_plan(std::span(block).first(prefix->total_bytes), {}, 0)->record;
}

/// 16-bit numbers that differ little from one another.
Bytes random_walk(std::size_t bytes) {
  Chance chance(7);
  Bytes made(bytes);
  std::uint16_t at = 30'000;
  for (std::size_t i = 0; i < bytes; i += sizeof at) {
    at = static_cast<std::uint16_t>(at + chance.below(41) - 20);
    std::memcpy(&made[i], &at, sizeof at);
  }
  return made;
}

/// The block with another CHK in front of its frames.
Bytes with_record(const Bytes& block, const formats::ChunkRecord& record) {
  const std::size_t frames = formats::packed_bytes(record_of(block));
  Bytes made = formats::serialize(record);
  made.insert(made.end(), block.end() - static_cast<std::ptrdiff_t>(frames), block.end());
  return made;
}

std::optional<ErrorKind> verdict(std::span<const std::byte> block) {
  const auto restored = decode_block(block, 1u << 20);
  return restored ? std::nullopt : std::optional(restored.error().kind);
}

}  // namespace

TEST_CASE("every block gives its original back, and is not longer than its bound") {
  Chance chance(1);
  BlockEncoder encoder;
  BlockDecoder decoder;
  for (int i = 0; i < 400; ++i) {
    Plan plan = random_plan(chance);
    plan.packing.level = static_cast<int>(chance.below(4));
    if (chance.once_in(4)) plan.packing.frame_bytes = 4096;
    const Bytes original = random_chunk(chance, 1 + chance.below(chance.once_in(3) ? 200'000 : 3000));
    Bytes block(block_bound(original.size()));
    const auto length = encoder.encode(plan, original, block);
    if (!length) FAIL_CHECK(length.error().message);
    REQUIRE(length);
    block.resize(*length);
    const auto size = block_original_bytes(block);
    REQUIRE(size);
    CHECK(*size == original.size());
    const auto restored = decoder.decode(block, original.size());
    if (!restored) FAIL_CHECK(restored.error().message);
    REQUIRE(restored);
    CHECK(*restored == original);
    // Coders that were used before change nothing.
    CHECK(*encode_block(plan, original) == block);
  }
}

TEST_CASE("tag, number, offsets and chain are zero when written and ignored when read") {
  const Bytes original = some_chunk(5000);
  const auto block = encode_block(plan_for("i16x2"), original);
  REQUIRE(block);
  auto record = record_of(*block);
  CHECK(record.tag == 0);
  CHECK(record.offset == 0);
  CHECK(record.number == 0);
  CHECK(record.original_offset == 0);
  CHECK(record.chain == 0);
  record.tag = 1, record.offset = ~std::uint64_t{0}, record.number = 7,
  record.original_offset = ~std::uint64_t{0};
  record.chain = 9;
  const auto restored = decode_block(with_record(*block, record), original.size());
  REQUIRE(restored);
  CHECK(*restored == original);
}

TEST_CASE("a chunk of a stream is a lone block") {
  const Bytes original = some_chunk(70'000);
  const auto block = encode_block(plan_for("u64,f32x5,i24"), original);
  REQUIRE(block);
  const formats::StreamHeader header{.original_bytes = original.size()};
  const Bytes start = formats::serialize(header);
  auto record = record_of(*block);
  formats::StreamState(header, start).place(record);
  CHECK(record.tag != 0);
  CHECK(record.offset == start.size());
  const auto restored = decode_block(with_record(*block, record), original.size());
  REQUIRE(restored);
  CHECK(*restored == original);
}

TEST_CASE("the plan of a block is the caller's, packing is not stored") {
  Plan plan = plan_for("u64,f32x5,i24");
  plan.packing.level = 7;
  const auto block = encode_block(plan, some_chunk(50'000));
  REQUIRE(block);
  CHECK(record_of(*block).plan == formats::serialize(plan));
}

TEST_CASE("level and longest frame are the plan's") {
  Plan plan = plan_for("u32");
  const Bytes original = some_chunk(100'000);
  const auto usual = encode_block(plan, original);
  REQUIRE(usual);
  plan.packing.frame_bytes = 4096;
  const auto frames = record_of(*encode_block(plan, original)).frames;
  CHECK(frames.size() > 20);
  for (const auto& frame : frames) CHECK(frame.unpacked <= 4096);
  plan.packing = {.level = 19};
  CHECK(encode_block(plan, original)->size() < usual->size());
  plan.packing = {.level = 3};
  CHECK(*encode_block(plan, original) == *usual);
}

TEST_CASE("an encoder and a decoder that were moved go on") {
  const Bytes original = some_chunk(100'000);
  const Plan plan = plan_for("u32");
  BlockEncoder encoder, other_encoder;
  Bytes block(block_bound(original.size())), out(original.size());
  REQUIRE(encoder.encode(plan, original, block));
  BlockEncoder moved(std::move(encoder));
  other_encoder = std::move(moved);
  block.resize(other_encoder.encode(plan, original, block).value());
  BlockDecoder decoder, other_decoder;
  REQUIRE(decoder.decode(block, out));
  BlockDecoder moved_decoder(std::move(decoder));
  other_decoder = std::move(moved_decoder);
  CHECK(other_decoder.decode(block, out).value() == original.size());
  CHECK(out == original);
}

TEST_CASE("a plan of the search packs a block as compress packs a chunk") {
  const Bytes original = random_walk(400'000);
  const CompressOptions options{.search = SearchOptions{}};
  MemorySource source(original);
  const auto found = analyze(source, options);
  REQUIRE(found);
  Plan plan = found->chosen.front();
  REQUIRE(!plan.packing.planes.empty());
  plan.packing.level = found->level;
  const auto block = encode_block(plan, original);
  const auto stream = compress(original, options);
  REQUIRE(block);
  REQUIRE(stream);
  const auto frames = std::span(*block).last(formats::packed_bytes(record_of(*block)));
  const auto holds_frames = [&](const Bytes& stored) { return !std::ranges::search(stored, frames).empty(); };
  CHECK(holds_frames(*stream));
  CHECK(holds_frames(*compress(original, {.plan = plan})));
}

TEST_CASE("a plan that does not pay gives a block of plain bytes within the bound") {
  Plan wide{Coding::zstd, {}};
  LanesStep lanes{std::vector<LaneRule>(256)};
  wide.columns.assign(60, {1, 1, {lanes}});
  Plan tokens{Coding::zstd, {{1, 1, {TokensStep{1, {0, 0}, 0}}}}};
  for (const Plan& plan : {wide, tokens, plain_plan(), plan_for("f64x3")}) {
    for (const std::size_t bytes : {1u, 2u, 7u, 100u, 4096u, 131'072u, 131'073u, 300'000u}) {
      CAPTURE(bytes);
      const Bytes original = noise(bytes);
      const auto block = encode_block(plan, original);
      REQUIRE(block);
      CHECK(block->size() <= block_bound(bytes));
      CHECK(*decode_block(*block, bytes) == original);
    }
  }
  CHECK(record_of(*encode_block(wide, noise(100))).plan == formats::serialize(plain_plan()));
}

TEST_CASE("what no block can hold is refused when it is written") {
  Bytes out(1000);
  const auto kind = [&](const Plan& plan, std::span<const std::byte> original) {
    const auto written = encode_block(plan, original, out);
    return written ? std::nullopt : std::optional(written.error().kind);
  };
  const Bytes original = some_chunk(100);
  CHECK(kind(plain_plan(), original) == std::nullopt);
  CHECK(kind(plain_plan(), {}) == ErrorKind::usage);
  CHECK(encode_block(plain_plan(), {}).error().kind == ErrorKind::usage);
  CHECK(kind(Plan{}, original) == ErrorKind::usage);
  CHECK(kind({Coding::zstd, {Column{}}, {.level = 23}}, original) == ErrorKind::usage);
  CHECK(kind({Coding::zstd, {Column{}}, {.block_bytes = 4096}}, original) == ErrorKind::unsupported);
  CHECK(kind({Coding::zstd, {Column{}}, {.code_limit = 8}}, original) == ErrorKind::unsupported);
  CHECK(block_bound(0) == 0);
  CHECK(block_bound(kMaxBlockOriginal + 1) == 0);
}

TEST_CASE("the caller says how long block and original may be") {
  const Bytes original = some_chunk(1000);
  const auto block = encode_block(plan_for("u16"), original);
  REQUIRE(block);
  Bytes out(block->size() - 1, std::byte{7});
  const auto written = encode_block(plan_for("u16"), original, out);
  REQUIRE_FALSE(written);
  CHECK(written.error().kind == ErrorKind::limit);
  CHECK(std::ranges::count(out, std::byte{7}) == std::ssize(out));

  for (const std::size_t most : {0u, 1u, 999u}) {
    CHECK(decode_block(*block, most).error().kind == ErrorKind::limit);
    Bytes little(most);
    CHECK(decode_block(*block, std::span(little)).error().kind == ErrorKind::limit);
  }
  Bytes more(1007, std::byte{7});
  const auto length = decode_block(*block, std::span(more));
  REQUIRE(length);
  CHECK(*length == 1000);
  CHECK(std::equal(original.begin(), original.end(), more.begin()));
  CHECK(more[1000] == std::byte{7});
}

TEST_CASE("a block that ends anywhere else is truncated or corrupt") {
  const auto block = encode_block(plan_for("i16x2"), some_chunk(500));
  REQUIRE(block);
  CHECK(verdict(*block) == std::nullopt);
  CHECK(verdict({}) == ErrorKind::truncated);
  CHECK(block_original_bytes({}).error().kind == ErrorKind::truncated);
  for (std::size_t length = 0; length < block->size(); ++length) {
    CAPTURE(length);
    CHECK(verdict(std::span(*block).first(length)) == ErrorKind::truncated);
  }
  Bytes longer = *block;
  longer.push_back(std::byte{0});
  CHECK(verdict(longer) == ErrorKind::corrupt);
  CHECK(block_original_bytes(longer));
  longer.insert(longer.end(), block->begin(), block->end());
  CHECK(verdict(longer) == ErrorKind::corrupt);
}

TEST_CASE("the size needs no frames, but all of the record") {
  const auto block = encode_block(plan_for("i16x2"), some_chunk(500));
  REQUIRE(block);
  const std::size_t record = block->size() - formats::packed_bytes(record_of(*block));
  CHECK(*block_original_bytes(std::span(*block).first(record)) == 500);
  for (std::size_t length = 0; length < record; ++length)
    CHECK(block_original_bytes(std::span(*block).first(length)).error().kind == ErrorKind::truncated);
}

TEST_CASE("every flipped bit of a block is found, except in what is ignored") {
  const Bytes original = some_chunk(300);
  const auto block = encode_block(plan_for("i16x2,u8"), original);
  REQUIRE(block);
  for (std::size_t bit = 0; bit < 8 * block->size(); ++bit) {
    CAPTURE(bit);
    Bytes damaged = *block;
    damaged[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    const auto restored = decode_block(damaged, 1u << 20);
    // The checksum of a zstd frame is not judged.
    if (restored) CHECK(*restored == original);
    if (bit / 8 < 40) CHECK_FALSE(restored);
  }
}

TEST_CASE("other records are no block") {
  const Bytes header = formats::serialize(formats::StreamHeader{});
  CHECK(verdict(header) == ErrorKind::corrupt);
  CHECK(verdict(formats::serialize(formats::EndRecord{})) == ErrorKind::corrupt);
  formats::Note note;
  note.kind = formats::RecordKind{0x65746F6E};
  CHECK(verdict(formats::serialize(note)) == ErrorKind::corrupt);
  CHECK(verdict(noise(1000)) == ErrorKind::corrupt);
}

TEST_CASE("a record that lies about its frames is refused") {
  const Bytes original = some_chunk(400);
  const auto block = encode_block(plan_for("u32"), original);
  REQUIRE(block);
  const auto good = record_of(*block);
  const auto lying = [&](auto&& change) {
    auto record = good;
    change(record);
    return verdict(with_record(*block, record));
  };
  CHECK(lying([](auto& r) { r.digest ^= 1; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { ++r.original_bytes; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { r.original_bytes = 0; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { r.original_bytes = (1u << 30) + 1; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { --r.frames[0].packed; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { ++r.frames[0].packed; }) == ErrorKind::truncated);
  CHECK(lying([](auto& r) { r.substreams[0] += 4, r.frames[0].unpacked += 4; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { r.frames.clear(); }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { r.plan[0] = std::byte{0}; }) == ErrorKind::corrupt);
  CHECK(lying([](auto& r) { r.plan[1] = std::byte{2}; }) == ErrorKind::unsupported);
  // The list of uniform blocks is a hint: nothing in it is an error.
  CHECK(lying([](auto& r) { r.blocks.resize(3); }) == std::nullopt);
}

}  // namespace tdz::test
